import process from "node:process"

/** A write to a terminal that was closed, or to a pipe that nobody reads any more. */
const isGone = (error: NodeJS.ErrnoException): boolean => error.code === "EIO" || error.code === "EPIPE"

/**
 * Makes the end of a terminal an orderly stop: without it the process would die at once, and its database would run on.
 * Whatever is still written to the closed terminal is lost.
 */
export const stopOnHangUp = (): void => {
  process.on("SIGHUP", () => void process.kill(process.pid, "SIGTERM"))
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!isGone(error)) throw error
    })
  }
}
