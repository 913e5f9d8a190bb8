import process from "node:process"

/** A write to a closed terminal, or to a pipe without a reader. */
const isGone = (error: NodeJS.ErrnoException): boolean => error.code === "EIO" || error.code === "EPIPE"

/**
 * Turns the hang-up of a terminal into an orderly stop. Without it the process would die at once and its embedded
 * database would keep running. Later output to the closed terminal is lost.
 */
export const stopOnHangUp = (): void => {
  process.on("SIGHUP", () => void process.kill(process.pid, "SIGTERM"))
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!isGone(error)) throw error
    })
  }
}
