// biome-ignore-all lint/suspicious/noTemplateCurlyInString: compose's interpolation looks the same
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildReader } from './build-reader.ts';
import { closeReader, findComposeFile, type ReadOptions, readProject } from './read.ts';

beforeAll(() => buildReader(), 300_000);
afterAll(closeReader);

/** Reads a repository that is given as its files; a `compose.yaml` given as text is one of its own. */
function read(files: string | Record<string, string>, options: Partial<ReadOptions> = {}) {
  const repository = typeof files === 'string' ? { 'compose.yaml': files } : files;
  return readProject({
    composeFile: 'compose.yaml',
    projectName: 'demo',
    readFile: async path => repository[path],
    ...options,
  });
}

const env = (result: Awaited<ReturnType<typeof read>>, service = 'web') =>
  result.project?.services[service]?.environment;

describe('reading', () => {
  it('interpolates from the settings before .env, and keeps $$', async () => {
    const result = await read(
      {
        'compose.yaml': [
          'services:',
          '  web:',
          '    image: "nginx:${TAG}"',
          '    environment:',
          '      A: "${A:-a}"',
          '      B: "${B:-${C}}"',
          '      PRICE: "$$5"',
        ].join('\n'),
        '.env': 'TAG=1\nC=from-file\n',
      },
      { environment: { TAG: '2' } },
    );
    expect(result.problems).toEqual([]);
    expect(result.project?.services.web?.image).toBe('nginx:2');
    expect(env(result)).toEqual({ A: 'a', B: 'from-file', PRICE: '$5' });
  });

  it('follows anchors and merge keys, with positions where the key is written', async () => {
    const result = await read(
      'x-base: &base\n  restart: always\nservices:\n  web:\n    <<: *base\n    image: nginx\n',
    );
    expect(result.project?.services.web?.restart).toBe('always');
    expect(result.project?.positions['services.web.restart']).toEqual({
      file: 'compose.yaml',
      line: 2,
      column: 3,
    });
  });

  it('follows include, extends and env_file into other files', async () => {
    const result = await read({
      'compose.yaml': [
        'include: [more/compose.yaml]',
        'services:',
        '  web:',
        '    extends: { file: base/base.yaml, service: base }',
        '    env_file: [a.env, { path: none.env, required: false }]',
        '    environment: { B: own }',
      ].join('\n'),
      'more/compose.yaml': 'services:\n  db:\n    image: redis\n    env_file: db.env\n',
      'more/db.env': 'D=1\n',
      'base/base.yaml': 'services:\n  base:\n    image: nginx\n    build: { context: src }\n',
      'a.env': 'A=1\nB=file\n',
    });
    expect(result.problems).toEqual([]);
    expect(env(result)).toEqual({ A: '1', B: 'own' });
    expect(env(result, 'db')).toEqual({ D: '1' });
    expect(result.project?.services.web?.build?.context).toBe('base/src');
    expect(result.project?.positions['services.web.image']).toEqual({
      file: 'base/base.yaml',
      line: 3,
      column: 5,
    });
  });

  it('reads a compose file in a folder, with paths of the repository', async () => {
    const result = await read(
      {
        'deploy/compose.yaml': 'services:\n  web:\n    build: ../app\n    volumes: ["../web.conf:/c"]\n',
        'web.conf': 'text',
      },
      { composeFile: 'deploy/compose.yaml' },
    );
    expect(result.project?.services.web?.build?.context).toBe('app');
    expect(result.project?.files).toEqual({ 'web.conf': 'text' });
  });

  it('takes services of the profiles that are asked for', async () => {
    const file = 'services:\n  web: { image: nginx }\n  debug: { image: busybox, profiles: [debug] }\n';
    expect(Object.keys((await read(file)).project?.services ?? {})).toEqual(['web']);
    const both = await read(file, { profiles: ['debug'] });
    expect(Object.keys(both.project?.services ?? {})).toEqual(['debug', 'web']);
  });
});

describe('problems', () => {
  it('offers the example beside a missing env_file', async () => {
    const { project, problems } = await read({
      'compose.yaml': 'services:\n  web:\n    image: nginx\n    env_file:\n      - .env.web\n',
      '.env.web.example': 'A=1',
    });
    expect(project).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      ...{ severity: 'error', file: 'compose.yaml', line: 5, column: 9, key: 'services.web.env_file.0' },
      message: 'There is no .env.web in the repository',
    });
    expect(problems[0]?.hint).toContain('.env.web.example');
  });

  it('names line and column of bad YAML', async () => {
    const { problems } = await read('services:\n  web:\n    image: "nginx\n');
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'compose.yaml' });
    expect(problems[0]?.line).toBeGreaterThan(1);
    expect(problems[0]?.message).toContain('Not valid YAML');
  });

  it.each([
    ['an unknown key', 'services:\n  web:\n    image: nginx\n    prots: [80]\n', 4, 'services.web.prots'],
    ['a wrong type', 'services:\n  web:\n    image: nginx\n    ports: 80\n', 4, 'services.web.ports'],
    [
      'an unknown dependency',
      'services:\n  web:\n    image: nginx\n    depends_on: [db]\n',
      2,
      'services.web',
    ],
  ])('places %s', async (_what, file, line, key) => {
    const { problems } = await read(file);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'compose.yaml', line, key });
  });

  it('places a variable that is required, and one that is not set', async () => {
    const required = await read('services:\n  web:\n    image: "nginx:${TAG:?say which}"\n');
    expect(required.problems[0]).toMatchObject({ severity: 'error', line: 3, column: 19 });
    const unset = await read('services:\n  web:\n    image: "nginx${TAG}"\n');
    expect(unset.problems).toMatchObject([{ severity: 'warning', line: 3, column: 18 }]);
    expect(unset.project).toBeDefined();
  });

  it.each(['../../etc/passwd', '/etc/passwd', '~/secret.env'])('does not read %s', async path => {
    const asked: string[] = [];
    const { project, problems } = await read('', {
      readFile: async file => {
        asked.push(file);
        const text = `services:\n  web:\n    image: nginx\n    env_file: ${path}\n`;
        return file === 'compose.yaml' ? text : undefined;
      },
    });
    expect(project).toBeUndefined();
    expect(problems[0]).toMatchObject({ severity: 'error', line: 4 });
    expect(problems[0]?.message).toContain('outside the repository');
    expect(
      asked.every(file => !file.startsWith('/') && !file.startsWith('..') && !file.startsWith('~')),
    ).toBe(true);
  });

  it('ends on cycles, floods and oversize, and goes on reading afterwards', async () => {
    const cycle = await read({
      'compose.yaml': 'include: [b.yaml]\n',
      'b.yaml': 'include: [compose.yaml]\n',
    });
    expect(cycle.problems[0]?.severity).toBe('error');
    const large = await read(`# ${'x'.repeat(2 ** 20)}\nservices: {}\n`);
    expect(large.problems[0]?.message).toContain('larger than');
    const flood = await read('services:\n  web:\n    image: nginx\n    ports: ["1-65535:1-65535"]\n');
    expect(flood.problems[0]?.message).toContain('longer than');
    expect((await read('services:\n  web: { image: nginx }\n')).problems).toEqual([]);
  }, 30_000);
});

it('finds compose files, the likeliest first', () => {
  const paths = [
    'web/compose.yaml',
    'docker-compose.yml',
    'compose.yml',
    'README.md',
    'a/docker-compose.yaml',
  ];
  const expected = ['compose.yml', 'docker-compose.yml', 'a/docker-compose.yaml', 'web/compose.yaml'];
  expect(findComposeFile(paths)).toEqual(expected);
});
