import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assertAllowed, isVisible, type RepositoryParams } from './access.ts';
import { accountOf, authenticate } from './auth.ts';
import { findRepository, type GitHub, gitDirectory } from './context.ts';
import { ApiError, notFound } from './errors.ts';
import { gitEnvironment } from './git.ts';
import { movingRefs } from './pushes.ts';
import type { Repository } from './state.ts';

const bodyLimit = 2 ** 40;

/** Clone, fetch and push over smart HTTP, served by git's own `http-backend`. */
export function gitRoutes(app: FastifyInstance, github: GitHub): void {
  // Packs are streamed to git as they arrive.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  app.get<{ Params: RepositoryParams; Querystring: { service?: string } }>(
    '/:owner/:repo/info/refs',
    async (request, reply) => {
      const isPush = request.query.service === 'git-receive-pack';
      const { repository } = open(github, request, isPush);
      await run(github, repository, request, reply, 'info/refs');
    },
  );
  app.post('/:owner/:repo/git-upload-pack', { bodyLimit }, async (request, reply) => {
    const { repository } = open(github, request, false);
    await run(github, repository, request, reply, 'git-upload-pack');
  });
  app.post('/:owner/:repo/git-receive-pack', { bodyLimit }, async (request, reply) => {
    const { repository, actor } = open(github, request, true);
    await run(github, repository, request, reply, 'git-receive-pack', work =>
      movingRefs(github, repository, accountOf(github, actor), work),
    );
  });
}

function open(github: GitHub, request: FastifyRequest, isPush: boolean) {
  const { owner, repo } = request.params as RepositoryParams;
  const repository = findRepository(github, owner, repo.replace(/\.git$/, ''));
  const actor = authenticate(github, request);
  // Git asks for credentials only after a 401, so that is what a stranger gets, whether or not the repository is there.
  const mayKnow = repository && isVisible(github, actor, repository);
  if (actor.kind === 'anonymous' && (isPush || !mayKnow)) {
    throw new ApiError(401, 'Authentication required: a token as the password');
  }
  if (!repository || !mayKnow) throw notFound();
  assertAllowed(github, actor, repository, 'contents', isPush ? 'write' : 'read');
  return { repository, actor };
}

type Around = (work: () => Promise<void>) => Promise<void>;

async function run(
  github: GitHub,
  repository: Repository,
  request: FastifyRequest,
  reply: FastifyReply,
  service: string,
  around: Around = work => work(),
): Promise<void> {
  reply.hijack();
  try {
    await around(() => serve(gitDirectory(github, repository), service, request.raw, reply.raw));
    // Ended only now: when `git push` returns, the pull request has moved.
    reply.raw.end();
  } catch (error) {
    request.log.error(error);
    if (!reply.raw.headersSent) reply.raw.writeHead(500);
    reply.raw.destroy();
  }
}

/** Runs git's CGI program with the request's body, and writes its answer without ending the response. */
function serve(
  directory: string,
  service: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const { headers } = request;
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...gitEnvironment(),
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${service}`,
      REQUEST_METHOD: request.method,
      QUERY_STRING: query,
      REMOTE_ADDR: request.socket.remoteAddress,
      CONTENT_TYPE: headers['content-type'],
      CONTENT_LENGTH: headers['content-length'],
      HTTP_CONTENT_ENCODING: headers['content-encoding'],
      GIT_PROTOCOL: header(headers['git-protocol']),
    },
  });
  response.on('close', () => {
    // A client that left: git must see its input end and be able to write on, or it would wait for ever.
    child.stdin.destroy();
    child.stdout.resume();
    child.kill();
  });
  request.pipe(child.stdin);
  // Git may answer before it has read all; what it leaves unread is no failure.
  child.stdin.on('error', () => request.resume());
  return new Promise((resolve, reject) => {
    let head: Buffer | undefined = Buffer.alloc(0);
    child.stdout.on('data', (chunk: Buffer) => {
      let rest = chunk;
      if (head) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        writeHead(response, head.subarray(0, end).toString('latin1'));
        rest = head.subarray(end + 4);
        head = undefined;
      }
      if (rest.length > 0 && !response.destroyed && !response.write(rest)) {
        child.stdout.pause();
        response.once('drain', () => child.stdout.resume());
      }
    });
    child.on('error', reject);
    child.on('close', code =>
      head ? reject(new Error(`git http-backend ended with ${code} and no answer`)) : resolve(),
    );
  });
}

const header = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** A CGI head: header lines, of which `Status` is the HTTP status. */
function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const [name = '', value = ''] = line.split(/:\s*(.*)/s, 2);
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}
