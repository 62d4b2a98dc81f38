#!/usr/bin/env node
// src/cli/main.ts
require('./hcloud-talos.cjs').runCli()
