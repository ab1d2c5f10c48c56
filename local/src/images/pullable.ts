import { succeeds } from '../process.ts';

let answer: Promise<boolean> | undefined;

/** Whether Docker can pull from Docker Hub here; tried once per process with a small image. */
export function imagesCanBePulled(): Promise<boolean> {
  answer ??= succeeds('docker', ['pull', '--quiet', 'docker.io/library/busybox:latest'], 20_000);
  return answer;
}
