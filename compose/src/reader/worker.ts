import { parentPort } from 'node:worker_threads';
import { indexPositions } from '../positions.ts';
import { startEngine } from './engine.ts';
import type { ReadReply, ReadRequest } from './protocol.ts';

// The thread that compose files are read in: whatever a file does to it, the host ends it and starts another.
const engine = await startEngine();

parentPort?.on('message', (request: ReadRequest) => {
  const reply: ReadReply = {
    ...engine.read(request),
    positions: indexPositions(request.composeFile, request.files),
  };
  parentPort?.postMessage(reply);
});
parentPort?.postMessage('ready');
