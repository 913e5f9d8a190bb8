/** Something the player can do that has no button of its own: listed in the settings, in the context menu and by its key. */
export interface Command {
  readonly name: string
  readonly label: string
  /** As it is typed. */
  readonly key: string
  /** For what is on or off. */
  readonly isOn?: () => boolean
  /** Absent: always. */
  readonly isOffered?: () => boolean
  readonly run: () => void
}

export interface Commands {
  readonly add: (...commands: ReadonlyArray<Command>) => void
  readonly offered: () => ReadonlyArray<Command>
  /** Runs the command with this key; false when there is none. */
  readonly runKey: (key: string) => boolean
}

export const createCommands = (): Commands => {
  const all: Array<Command> = []
  const offered = () => all.filter((it) => it.isOffered?.() ?? true)
  return {
    add: (...commands) => void all.push(...commands),
    offered,
    runKey: (key) => {
      const command = offered().find((it) => it.key === key)
      command?.run()
      return command !== undefined
    }
  }
}
