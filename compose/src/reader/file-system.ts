import { Directory, File, type Inode, PreopenDirectory } from '@bjorn3/browser_wasi_shim';
import { repositoryRoot } from './protocol.ts';

const notFound = 44;

/** The reader's whole file system: the repository's files that were handed over, and a memory of what else was asked for. */
export class RepositoryFiles extends PreopenDirectory {
  readonly missing = new Set<string>();

  constructor() {
    super('/', new Map());
  }

  /** Replaces the repository's files, by path. */
  mount(files: Record<string, string>): void {
    this.missing.clear();
    const root = new Directory([]);
    for (const [path, content] of Object.entries(files)) place(root, path.split('/'), content);
    this.dir.contents = new Map<string, Inode>([[repositoryRoot.slice(1), root]]);
  }

  override path_open(...request: Parameters<PreopenDirectory['path_open']>) {
    return this.noteMissing(request[1], super.path_open(...request));
  }

  override path_filestat_get(...request: Parameters<PreopenDirectory['path_filestat_get']>) {
    return this.noteMissing(request[1], super.path_filestat_get(...request));
  }

  private noteMissing<T extends { ret: number }>(path: string, answer: T): T {
    if (answer.ret === notFound) this.missing.add(`/${path}`);
    return answer;
  }
}

function place(folder: Directory, [name = '', ...rest]: string[], content: string): void {
  if (rest.length === 0) {
    folder.contents.set(name, new File(new TextEncoder().encode(content), { readonly: true }));
    return;
  }
  const existing = folder.contents.get(name);
  const next = existing instanceof Directory ? existing : new Directory([]);
  folder.contents.set(name, next);
  place(next, rest, content);
}
