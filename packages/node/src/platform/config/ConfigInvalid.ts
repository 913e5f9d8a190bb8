import { Data, Runtime } from "effect"

/** One value that cannot be used: where it stands, what is wrong with it and what would be accepted. */
export interface ConfigProblem {
  readonly path: string
  readonly origin: string
  readonly problem: string
  readonly accepts: string | undefined
}

/** The configuration cannot be used. Holds every problem at once; `message` is the report for people. */
export class ConfigInvalid extends Data.TaggedError("ConfigInvalid")<{
  readonly problems: ReadonlyArray<ConfigProblem>
}> {
  /** EX_CONFIG of sysexits.h. */
  override readonly [Runtime.errorExitCode] = 78

  override get message(): string {
    const count = this.problems.length === 1 ? "One setting" : `${this.problems.length} settings`
    const lines = this.problems.flatMap(({ accepts, origin, path, problem }) => [
      "",
      `  ${path}  (${origin})`,
      `    problem:  ${problem}`,
      ...(accepts === undefined ? [] : [`    accepted: ${accepts}`])
    ])
    return [`${count} of the configuration cannot be used:`, ...lines].join("\n")
  }
}
