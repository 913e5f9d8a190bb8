import { spawnSync } from "node:child_process"
import type { ConfinementPowers } from "../../src/ytdlp/Confinement.ts"

/** Asked of the kernel directly, as far as it can be without our script. */
const question = `
import ctypes, fcntl, os, socket, struct
libc = ctypes.CDLL(None)
print(max(0, libc.syscall(444, None, ctypes.c_long(0), ctypes.c_long(1))), flush=True)
if libc.unshare(0x10000000 | 0x40000000) != 0:
    os._exit(1)
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 1))
`

/** What the kernel of this machine offers to confine programs with. */
export interface Offered extends ConfinementPowers {
  /** Version of Landlock; 0: there is none. */
  readonly landlock: number
}

/** Tests of confinement prove what is offered; where something is not, programs have to run all the same. */
export const offered = (): Offered => {
  const { status, stdout } = spawnSync("python3", ["-I", "-c", question], { encoding: "utf8", timeout: 20_000 })
  const landlock = Number.parseInt(stdout, 10) || 0
  const alone = status === 0
  return { landlock, files: landlock >= 1, network: alone || landlock >= 4, alone }
}

/** The powers alone, as our script tells them. */
export const offeredPowers = (): ConfinementPowers => {
  const { alone, files, network } = offered()
  return { files, network, alone }
}
