#!/usr/bin/env node
if (parseInt(process.versions.node, 10) < 24) {
  console.error('error node-too-old: this is Node ' + process.versions.node + ', and hcloud-talos needs 24 or newer');
  process.exit(4);
}
// src/cli/main.ts
require('./terminal.cjs').runCli()
