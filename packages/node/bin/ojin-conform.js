#!/usr/bin/env node
import { run } from '../src/run.js';

run('ojin-conform', process.argv.slice(2));
