import { closeSync, openSync, writeSync } from "node:fs"

/** Takes all the room that the disk of the file has. */
export const fill = (file: string): void => {
  const handle = openSync(file, "w")
  const block = Buffer.alloc(64 * 1024, 1)
  try {
    for (let size = block.length; size >= 512; size /= 2) {
      try {
        for (;;) writeSync(handle, block, 0, size)
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause
      }
    }
  } finally {
    closeSync(handle)
  }
}
