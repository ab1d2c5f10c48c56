import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { ROUTES } from '../api/contract/routes.ts';

/** The API that `vite dev` forwards to; in production the API itself serves the build. */
const api = process.env.GREENROOM_API_URL ?? 'http://localhost:3001';

/** The browser needs methods and paths of the contract, not its schemas: without them zod stays out of the bundle. */
function routesWithoutSchemas(): Plugin {
  const file = fileURLToPath(new URL('../api/contract/routes.ts', import.meta.url));
  const routes = Object.fromEntries(
    Object.entries(ROUTES).map(([name, { method, path }]) => [name, { method, path }]),
  );
  return {
    name: 'routes-without-schemas',
    enforce: 'pre',
    load: id => (id === file ? `export const ROUTES = ${JSON.stringify(routes)};` : null),
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [routesWithoutSchemas(), react()],
  server: { proxy: { '/api': { target: api } } },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022' },
});
