import { readFile } from 'node:fs/promises';
import { ConsoleStdout, File, OpenFile, WASI } from '@bjorn3/browser_wasi_shim';
import { RepositoryFiles } from './file-system.ts';
import { homeRoot, type ReadReply, type ReadRequest, repositoryRoot } from './protocol.ts';

interface ReaderExports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  allocate(size: number): number;
  read(size: number): bigint;
}

/** One instance of compose-go, kept alive between reads. */
export interface Engine {
  read(request: ReadRequest): Omit<ReadReply, 'positions'>;
}

/** Starts compose-go from compose/dist/reader.wasm. */
export async function startEngine(): Promise<Engine> {
  const file = new URL('../../dist/reader.wasm', import.meta.url);
  const code = await readFile(file).catch(() => {
    throw new Error('compose/dist/reader.wasm is not built. Run `node compose/src/build-reader.ts`.');
  });
  const files = new RepositoryFiles();
  const lastWords: string[] = [];
  const output = () => ConsoleStdout.lineBuffered(line => lastWords.length < 20 && lastWords.push(line));
  const wasi = new WASI([], [`HOME=${homeRoot}`], [new OpenFile(new File([])), output(), output(), files], {
    debug: false,
  });
  const { instance } = await WebAssembly.instantiate(code, { wasi_snapshot_preview1: wasi.wasiImport });
  // The module's shape is ours: compose/reader/main.go.
  const reader = instance.exports as unknown as ReaderExports;
  wasi.initialize({ exports: reader });

  return {
    read({ files: content, composeFile, ...options }) {
      files.mount(content);
      const request = { ...options, composeFiles: [`${repositoryRoot}/${composeFile}`] };
      const input = new TextEncoder().encode(JSON.stringify(request));
      try {
        const address = reader.allocate(input.length);
        new Uint8Array(reader.memory.buffer, address, input.length).set(input);
        const result = reader.read(input.length);
        const answer = new Uint8Array(
          reader.memory.buffer,
          Number(result >> 32n),
          Number(result & 0xffffffffn),
        );
        return { ...JSON.parse(new TextDecoder().decode(answer)), missing: [...files.missing] };
      } catch (error) {
        throw new Error(lastWords.find(line => line.trim() !== '') ?? String(error), { cause: error });
      }
    },
  };
}
