// The first script of `npm start`, in JavaScript that every version of Node can run. It explains a
// wrong version or a missing package, or else starts the service.

import { fileURLToPath } from 'node:url';

const runtime = 24;
const { version, versions } = process;

const refuse = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

if (Number(versions.node.split('.')[0]) < runtime) {
  refuse(
    `This is Node ${version}. The service needs Node ${runtime}, which npm installs with the ` +
      'project. With Node 20 or newer, run:\n\n  npm ci && npm start',
  );
}

/** Runs first, because scripts wait for demo.json and must not read the file of an earlier run. */
const removeStaleFiles = async () => {
  const { removeStaleReadyFiles } = await import('./local/data-folder.ts');
  const { dataFolderOf } = await import('./local/settings.ts');
  // If the folder is unusable, the start reports it.
  await removeStaleReadyFiles(dataFolderOf(process.env)).catch(() => {});
};

/** Keeps compiled modules for later starts, which then take half the time. */
const keepCompiledModules = async () => {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
};

const start = async () => {
  await keepCompiledModules();
  await removeStaleFiles();
  await import('./start.ts');
};

start().catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  refuse(
    `A package of the project is not installed. Run:\n\n  npm ci && npm start\n\n${error.message}`,
  );
});
