import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A field of a body, or a parameter, as the contract's tables have it. */
export interface ContractField {
  readonly name: string
  readonly required?: boolean
  /** Such as `integer`, `string(email)`, `string(name|-createdAt)`, `boolean`, `VideoPrivacySet`, `integer[]`. */
  readonly type: string
  readonly min?: number
  readonly max?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly itemMinLength?: number
  readonly itemMaxLength?: number
  readonly pattern?: string
  readonly enum?: ReadonlyArray<string | number>
}

export interface ContractParameter extends ContractField {
  readonly in: "path" | "query" | "header"
  /** Other names of the same. */
  readonly names?: ReadonlyArray<string>
}

/** One operation of the contract: what it takes, and with which statuses it answers. */
export interface ContractOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly statuses: ReadonlyArray<number>
  readonly params?: ReadonlyArray<ContractParameter>
  readonly body?: { readonly type: string; readonly fields?: ReadonlyArray<ContractField> }
}

/** Every operation of the contract, one a line. */
export const contractOperations: ReadonlyArray<ContractOperation> = readFileSync(
  join(import.meta.dirname, "fixtures/contract-operations.jsonl"),
  "utf8"
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as ContractOperation)

/** Method and path, with the names of parameters left out: the contract's differ from ours. */
export const routeOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replaceAll(/\{[^}]+\}/g, "{}").replace(/\/$/, "")}`
