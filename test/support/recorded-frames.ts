/** What `recording-worker` wrote down: the control messages that each worker process received, as bytes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FRAMES_FOLDER_VARIABLE = 'DISTQ_TEST_FRAMES';

/** Per process id its messages in the order they came. */
export function readFrames(folder: string): Map<number, Uint8Array[]> {
  const frames = new Map<number, Uint8Array[]>();
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    const messages: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + 4 + bytes.readUInt32LE(at);
      messages.push(bytes.subarray(at + 4, end));
      at = end;
    }
    frames.set(Number(name.split('.')[0]), messages);
  }
  return frames;
}
