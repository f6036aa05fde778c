/** The product's worker, which also writes down every control message that it receives: see `readFrames`. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import '../../src/session/worker-main.js';
import { FRAMES_FOLDER_VARIABLE } from './recorded-frames.js';

const folder = process.env[FRAMES_FOLDER_VARIABLE];
if (folder === undefined) throw new Error(`${FRAMES_FOLDER_VARIABLE} is not set`);
const file = join(folder, `${process.pid}.frames`);
process.on('message', (message) => {
  if (!(message instanceof Uint8Array)) return;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(message.length);
  appendFileSync(file, Buffer.concat([length, message]));
});
