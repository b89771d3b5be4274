// What `npm start` runs first, in JavaScript that every Node can read: it says in a sentence what is
// missing for the service, and starts it where nothing is.

const runtime = 24;
const { version, versions } = process;

const refuse = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

if (Number(versions.node.split('.')[0]) < runtime) {
  refuse(
    `This is Node ${version}, and the service runs on Node ${runtime}, which npm installs with the ` +
      'project. With Node 20 or newer, run:\n\n  npm ci && npm start',
  );
}

/** Whoever waits for demo.json must not read that of an earlier run, so this comes first. */
const removeStaleFiles = async () => {
  const { removeStaleReadyFiles } = await import('./local/data-folder.ts');
  const { dataFolderOf } = await import('./local/settings.ts');
  // What is wrong with the folder is said by the start.
  await removeStaleReadyFiles(dataFolderOf(process.env)).catch(() => {});
};

const start = async () => {
  await removeStaleFiles();
  await import('./start.ts');
};

start().catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  refuse(
    `A package of the project is not installed. Run:\n\n  npm ci && npm start\n\n${error.message}`,
  );
});
