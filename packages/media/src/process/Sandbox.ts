import { Context, Data, Effect, Layer, Result, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Programs } from "../tools/Programs.ts"

/** Limits of one child. Bytes, and seconds of processor time. */
export interface ChildLimits {
  readonly memory: number
  readonly fileSize: number
  readonly cpuSeconds?: number
  /** Gives priority to everything else on the machine. */
  readonly background?: boolean
  /** The child talks to a server: it keeps the network. */
  readonly network?: boolean
}

/** What this machine supports for confining a child. `notes` say what is missing and why. */
export interface SandboxPowers {
  /** The child sees no network interface except an unusable loopback. */
  readonly network: "none" | "open"
  /** The child has no capabilities and cannot gain any. */
  readonly privileges: "dropped" | "kept"
  /** The kernel ends the child when this process dies. */
  readonly endsWithParent: boolean
  /** Address space, processor time, file size and descriptors are limited. */
  readonly limits: boolean
  /** Work in the background gets a lower priority. */
  readonly priorities: boolean
  readonly notes: ReadonlyArray<string>
}

const environment = { PATH: "/usr/bin:/bin", LC_ALL: "C", HOME: "/nonexistent" }

/**
 * Options of every child: none of our environment, no input, a process group of its own that is killed as a
 * whole. It is killed at once: nobody uses what an interrupted tool has written, and ffmpeg takes seconds to finish its file.
 */
export const childOptions = {
  env: environment,
  extendEnv: false,
  stdin: "ignore",
  killSignal: "SIGKILL",
  detached: true
} as const

/** The niceness in `/proc/<pid>/stat` (proc(5): field 19; the name in parentheses may contain spaces). */
const nicenessIn = (stat: string): number => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])

class TrialFailed extends Data.TaggedError("TrialFailed")<{ readonly message: string }> {}

/**
 * Wraps child processes as far as the machine permits, which is tested once. Linux only: elsewhere nothing is wrapped
 * and `notes` says so. The allow-lists of `AllowList` apply everywhere.
 */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    readonly powers: SandboxPowers
    /** Puts the wrappers before a command. Pure. */
    wrap(command: string, args: ReadonlyArray<string>, limits: ChildLimits): readonly [string, ReadonlyArray<string>]
  }
>()("@kinora/media/process/Sandbox") {
  static readonly layer = Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const programs = yield* Programs
      const notes: Array<string> = []

      const trial = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
        const [command, ...args] = words
        if (command === undefined) return ""
        const handle = yield* spawner.spawn(ChildProcess.make(command, args, childOptions))
        const [out, errors] = yield* Effect.all(
          [Stream.mkString(Stream.decodeText(handle.stdout)), Stream.mkString(Stream.decodeText(handle.stderr))],
          { concurrency: 2 }
        )
        const code = yield* handle.exitCode
        return code === 0 ? out : yield* new TrialFailed({ message: errors.trim().split("\n")[0] ?? `exit ${code}` })
      }, Effect.scoped)

      /** The first of some wrappers that works in combination with those found before; a note if none does. */
      const firstThatWorks = Effect.fnUntraced(function* (
        what: string,
        before: ReadonlyArray<string>,
        candidates: ReadonlyArray<ReadonlyArray<string>>,
        probe: ReadonlyArray<string>,
        holds: (output: string) => boolean
      ) {
        let reason = "not installed"
        for (const candidate of candidates) {
          const outcome = yield* Effect.result(trial([...before, ...candidate, ...probe]))
          if (Result.isSuccess(outcome) && holds(outcome.success)) return candidate
          reason = Result.isFailure(outcome) ? outcome.failure.message : "it had no effect"
        }
        notes.push(`${what}: ${reason}`)
        return []
      })

      const unshare = yield* programs.find("unshare")
      const setpriv = yield* programs.find("setpriv")
      const prlimit = yield* programs.find("prlimit")
      const nice = yield* programs.find("nice")
      const cat = (yield* programs.find("cat")) ?? "/bin/cat"

      const network = yield* firstThatWorks(
        "children can reach the network",
        [],
        unshare === undefined
          ? []
          : [
              [unshare, "--user", "--map-current-user", "--net", "--"],
              [unshare, "--user", "--map-root-user", "--net", "--"],
              [unshare, "--net", "--"]
            ],
        [cat, "/proc/net/dev"],
        (devices) => devices.split("\n").every((line) => !line.includes(":") || line.trim().startsWith("lo:"))
      )
      /** With the network of its own namespace a child may drop more than without. */
      const dropped = (before: ReadonlyArray<string>) =>
        firstThatWorks(
          "children keep the privileges of this process and may outlive it",
          before,
          setpriv === undefined
            ? []
            : [
                [setpriv, "--pdeathsig", "KILL", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"],
                [setpriv, "--pdeathsig", "KILL", "--no-new-privs", "--"]
              ],
          [cat, "/proc/self/status"],
          (status) => /^NoNewPrivs:\s+1$/m.test(status)
        )
      const privileges = yield* dropped(network)
      const online = network.length === 0 || privileges.length === 0 ? privileges : yield* dropped([])
      const limited = yield* firstThatWorks(
        "memory and time of children are not limited",
        [...network, ...privileges],
        prlimit === undefined ? [] : [[prlimit, "--as=4294967296", "--nofile=256", "--core=0", "--"]],
        [cat, "/proc/self/limits"],
        (limits) => /^Max address space\s+4294967296\s/m.test(limits)
      )
      const lowered = yield* firstThatWorks(
        "encodes run with the priority of this process",
        [...network, ...privileges],
        nice === undefined ? [] : [[nice, "-n", "10"]],
        [cat, "/proc/self/stat"],
        (stat) => nicenessIn(stat) >= 10
      )

      const powers: SandboxPowers = {
        network: network.length > 0 ? "none" : "open",
        privileges: privileges.length > 0 ? "dropped" : "kept",
        endsWithParent: privileges.length > 0,
        limits: limited.length > 0,
        priorities: lowered.length > 0,
        notes
      }
      if (notes.length > 0) yield* Effect.logWarning("Media tools run with a weaker sandbox", { notes })

      const wrap = (command: string, args: ReadonlyArray<string>, limits: ChildLimits) => {
        const rules =
          limited.length === 0
            ? []
            : [
                prlimit ?? "prlimit",
                `--as=${Math.floor(limits.memory)}`,
                `--fsize=${Math.floor(limits.fileSize)}`,
                ...(limits.cpuSeconds === undefined ? [] : [`--cpu=${Math.ceil(limits.cpuSeconds)}`]),
                "--nofile=256",
                "--core=0",
                "--"
              ]
        const priority = limits.background === true ? lowered : []
        const confined = limits.network === true ? online : [...network, ...privileges]
        const [first, ...rest] = [...confined, ...priority, ...rules, command, ...args]
        return [first ?? command, rest] as const
      }

      return Sandbox.of({ powers, wrap })
    })
  )
}
