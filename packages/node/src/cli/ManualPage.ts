import { type Command, Completions } from "effect/cli"

type Described = Completions.CommandDescriptor

/** Text as roff prints it: backslashes, hyphens of flags, and lines that begin like a request. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1")

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`
const italic = (text: string): string => `\\fI${escaped(text)}\\fR`

const valueOf = ({ type }: Completions.FlagDescriptor): string => {
  switch (type._tag) {
    case "Boolean":
      return ""
    case "Choice":
      return ` ${type.values.map(escaped).join("|")}`
    case "Path":
      return ` ${italic("FILE")}`
    case "Int":
    case "Finite":
      return ` ${italic("NUMBER")}`
    default:
      return ` ${italic("TEXT")}`
  }
}

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`)

const flagLines = (flag: Completions.FlagDescriptor): ReadonlyArray<string> => [
  ".TP",
  [flag.name, ...flag.aliases].map((name) => bold(dashed(name))).join(", ") + valueOf(flag),
  escaped(flag.description ?? "")
]

const argumentText = ({ name, required, type, variadic }: Completions.ArgumentDescriptor): string => {
  const text =
    (type._tag === "Choice" ? type.values.map(escaped).join("|") : italic(name.toUpperCase())) + (variadic ? "..." : "")
  return required ? text : `[${text}]`
}

const argumentLines = (argument: Completions.ArgumentDescriptor): ReadonlyArray<string> => [
  ".TP",
  argumentText(argument),
  escaped(argument.description ?? "")
]

const children = (command: Command.Command.Any): ReadonlyArray<Command.Command.Any> =>
  command.subcommands.flatMap(({ commands }) => commands)

/** A command that does something, and its subcommands, each with its whole name. */
const commandLines = (
  command: Command.Command.Any,
  described: Described,
  path: ReadonlyArray<string>,
  shared: ReadonlySet<string>
): ReadonlyArray<string> => {
  const below = children(command).flatMap((child) => {
    const description = described.subcommands.find(({ name }) => name === child.name)
    return description === undefined ? [] : commandLines(child, description, [...path, child.name], shared)
  })
  if (children(command).length > 0) return below
  const flags = described.flags.filter(({ name }) => !shared.has(name))
  const synopsis = [
    bold(path.join(" ")),
    ...described.arguments.map(argumentText),
    ...(flags.length === 0 ? [] : ["[options]"])
  ]
  return [
    `.SS ${synopsis.join(" ")}`,
    escaped(command.description ?? ""),
    ...described.arguments.flatMap(argumentLines),
    ...flags.flatMap(flagLines),
    ...command.examples.flatMap((example) => [
      ".PP",
      `${escaped(example.description ?? "Example")}:`,
      ".PP",
      ".nf",
      `.RS\n${escaped(example.command)}\n.RE`,
      ".fi"
    ])
  ]
}

const exitCodes: ReadonlyArray<readonly [code: string, meaning: string]> = [
  ["0", "The command did what it was asked to."],
  ["1", "It did not, or a check failed. What is wrong stands on standard error."],
  ["78", "The configuration cannot be used. Each wrong key is named with what it accepts."]
]

const environment: ReadonlyArray<readonly [name: string, meaning: string]> = [
  ["KINORA_CONFIG", "The YAML file to read."],
  ["KINORA_DATA_DIR", "The folder of files, embedded database and logs."],
  ["DATABASE_URL", "An external PostgreSQL instead of the embedded one."],
  ["KINORA_*", "Any key of the configuration: its path in capitals, joined by underscores."]
]

const terms = (entries: ReadonlyArray<readonly [term: string, meaning: string]>): ReadonlyArray<string> =>
  entries.flatMap(([term, meaning]) => [".TP", bold(term), escaped(meaning)])

/** The manual page of a program, in the man macros of roff. */
export const manualPage = (root: Command.Command.Any, version: string): string => {
  const described = Completions.fromCommand(root)
  const shared = new Set(described.flags.map(({ name }) => name))
  return [
    `.TH ${root.name.toUpperCase()} 1 "" "${root.name} ${version}" "User Commands"`,
    ".SH NAME",
    `${escaped(root.name)} \\- a federated video host`,
    ".SH SYNOPSIS",
    `${bold(root.name)} ${italic("COMMAND")} [options]`,
    ".SH DESCRIPTION",
    escaped(root.description ?? ""),
    ".PP",
    "Commands read the same configuration as the instance, and work on its database whether or not it runs. What they change is recorded in the audit log without a name.",
    ".SH OPTIONS",
    ...described.flags.flatMap(flagLines),
    ".SH COMMANDS",
    ...commandLines(root, described, [root.name], shared),
    ".SH EXIT STATUS",
    ...terms(exitCodes),
    ".SH ENVIRONMENT",
    ...terms(environment),
    ""
  ].join("\n")
}
