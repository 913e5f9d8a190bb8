import type { ClusterStage } from "./ClusterStage.ts"

/** Moves all files to the other place, and kills the command when it is at the so manieth request of S3; then once more to the end. */
const move = async (stage: ClusterStage, to: "s3" | "disk", killedAt: number): Promise<void> => {
  const { nodes, s3Proxy } = stage.parts
  const args = ["storage", "move", "--to", to, "--at-once", "1"]
  const killed = nodes[1]!.process.begin(args)
  let seen = 0
  s3Proxy.fault = () => {
    if (++seen === killedAt) killed.kill()
    return undefined
  }
  const first = await killed.ended
  s3Proxy.fault = () => undefined
  if (first.code !== null)
    throw new Error(`the move to ${to} was not killed: ${first.out.slice(-300)}${first.err.slice(-300)}`)
  const { code, err, out } = await nodes[1]!.process.command(args)
  if (code !== 0) throw new Error(`the move to ${to} ends with ${code}: ${out.slice(-300)}${err.slice(-300)}`)
}

/** To the disk that nodes share, and back: a kill in the middle of each. */
export const moveBackAndForth = async (stage: ClusterStage): Promise<void> => {
  await move(stage, "disk", 15)
  await move(stage, "s3", 25)
}
