// better-sqlite3's prebuilt binary crashes an older Node without a message, so this says it in a sentence.
var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    'Orangery needs Node 24 and this is ' +
      process.version +
      '. Run "npm ci" (without --ignore-scripts): it brings Node 24 into node_modules, and "npm start" uses it.',
  );
  process.exit(1);
}
