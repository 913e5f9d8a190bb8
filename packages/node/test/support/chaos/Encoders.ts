import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { kill } from "node:process"

/** Something that is kept from going on until it is let go. */
export interface Held {
  readonly release: () => Promise<void>
}

/** Stops a process until it is let go. */
export const halt = (pid: number): Held => {
  kill(pid, "SIGSTOP")
  return {
    release: async () => {
      try {
        kill(pid, "SIGCONT")
      } catch {
        // It was killed as well.
      }
    }
  }
}

/** Process ids of encoders that work on files below a folder, and have the word in their arguments. */
export const encodersBelow = (folder: string, word = ""): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        if (!readlinkSync(`/proc/${pid}/exe`).includes("ffmpeg")) return false
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8")
        return command.includes(folder) && command.includes(word)
      } catch {
        // It ended meanwhile.
        return false
      }
    })
    .map(Number)
