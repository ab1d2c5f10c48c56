// Runs on any Node from 18 on, with nothing installed: finds a Node that suits the project and its dependencies, then
// hands over to local/src/cli.ts. All it says goes to standard error, as standard output belongs to the command.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const wanted = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache =
  process.env.GREENROOM_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'greenroom');
const quiet = process.argv.includes('--json');
const say = text => quiet || process.stderr.write(`${text}\n`);

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** Runs npm and returns what it wrote if it failed. */
function npm(args, options, path) {
  const result = spawnSync('npm', args, {
    ...options,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  if (result.error) fail(`npm could not be started (${result.error.message}): install Node.js with npm`);
  if (result.status === 0) return undefined;
  const lines = `${result.stdout}${result.stderr}`.trimEnd().split('\n');
  const errors = lines.filter(l => !l.startsWith('npm warn')).slice(0, 12);
  return `npm ${args.join(' ')} failed:\n${errors.join('\n')}`;
}

function timed(text, work) {
  const start = Date.now();
  say(`• ${text}`);
  work();
  say(`✔ ${text.replace(/ \(.*\)$/, '')} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

/** The folder of a suitable `node`: this one's, or one from the npm registry in the cache. */
function nodeFolder() {
  if (Number.parseInt(process.versions.node, 10) >= wanted) return dirname(process.execPath);
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = join(cache, `${name}-${wanted}`);
  const bin = join(folder, 'node_modules', name, 'bin');
  if (existsSync(bin)) return bin;
  timed(`installing Node ${wanted} (this is ${process.version}; kept in ${cache})`, () => {
    mkdirSync(cache, { recursive: true });
    const temporary = mkdtempSync(join(cache, '.node-'));
    const args = ['install', '--prefix', temporary, '--no-audit', '--no-fund', `${name}@${wanted}`];
    const problem = npm(args, {}, process.env.PATH);
    if (problem) fail(problem);
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  });
  return bin;
}

/** Installs the dependencies that package-lock.json names, unless it was done for this very file. */
function dependencies(path) {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.greenroom-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  timed('installing npm packages (npm ci, as package-lock.json says)', () => {
    // A registry may lack packages for other platforms than this one, which `npm ci` wants to know all the same; then
    // `npm install` takes the versions of the lock file without changing it.
    const problem =
      npm(['ci', '--no-audit', '--no-fund'], { cwd: root }, path) &&
      npm(['install', '--no-save', '--no-audit', '--no-fund'], { cwd: root }, path);
    if (problem) fail(problem);
    writeFileSync(stamp, hash);
  });
}

if (Number.parseInt(process.versions.node, 10) < 18)
  fail(`Node ${process.version} is too old: install Node.js 18 or newer`);
const node = nodeFolder();
const path = `${node}${delimiter}${process.env.PATH}`;
dependencies(path);

const child = spawn(join(node, 'node'), [join(root, 'local', 'src', 'cli.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
});
// From a terminal, Ctrl-C reaches the child as well; from elsewhere only this process gets the signal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => process.stdin.isTTY || child.kill(signal));
child.on('error', error => fail(error.message));
child.on('close', (code, signal) => process.exit(code ?? (signal ? 128 : 1)));
