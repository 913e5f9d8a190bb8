import { chmodSync, closeSync, openSync, writeSync } from "node:fs"

/** A value of a row; null is SQL's null. */
export type Value = string | number | boolean | null

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

const cell = (value: Value): string =>
  value === null
    ? "\\N"
    : typeof value === "string"
      ? /[\\\t\n\r]/.test(value)
        ? value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character]!)
        : value
      : String(value)

const block = 1 << 20

/** A file in the text format of PostgreSQL's COPY, which everybody may read: the server runs as somebody else. */
export class CopyFile {
  readonly path: string
  readonly columns: ReadonlyArray<string>
  readonly #file: number
  #pending = ""

  constructor(path: string, columns: ReadonlyArray<string>) {
    this.path = path
    this.columns = columns
    this.#file = openSync(path, "w")
    chmodSync(path, 0o644)
  }

  /** One row: values in the order of the columns. */
  row(...values: ReadonlyArray<Value>): void {
    let line = cell(values[0]!)
    for (let n = 1; n < values.length; n++) line += "\t" + cell(values[n]!)
    this.#pending += line + "\n"
    if (this.#pending.length > block) this.#flush()
  }

  #flush(): void {
    writeSync(this.#file, this.#pending)
    this.#pending = ""
  }

  close(): void {
    this.#flush()
    closeSync(this.#file)
  }
}
