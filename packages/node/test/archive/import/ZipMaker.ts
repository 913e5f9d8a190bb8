import { Effect, Stream } from "effect"
import { crc32, deflateRawSync } from "node:zlib"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openArchive } from "../../../src/archive/import/context/Archive.ts"

/** A file of an archive, and what its list says that is not so. */
export interface RawEntry {
  readonly name: string | Buffer
  readonly data?: Buffer | string
  /** What the list says of the unpacked size. */
  readonly size?: number
  readonly packedSize?: number
  /** Where the list says it lies. */
  readonly offset?: number
  /** Unix mode. */
  readonly mode?: number
  readonly flags?: number
  readonly method?: number
  /** Sizes in a zip64 extra field. */
  readonly zip64?: readonly [size: bigint, packed: bigint]
}

const utf8 = 0x0800

const header = (signature: number, central: boolean, fields: Record<string, number>): Buffer => {
  const bytes = Buffer.alloc(central ? 46 : 30)
  bytes.writeUInt32LE(signature, 0)
  const at = central ? 6 : 4
  if (central) bytes.writeUInt16LE((3 << 8) | 45, 4)
  bytes.writeUInt16LE(45, at)
  bytes.writeUInt16LE(fields["flags"]!, at + 2)
  bytes.writeUInt16LE(fields["method"]!, at + 4)
  bytes.writeUInt32LE(fields["crc"]!, at + 10)
  bytes.writeUInt32LE(fields["packed"]!, at + 14)
  bytes.writeUInt32LE(fields["size"]!, at + 18)
  bytes.writeUInt16LE(fields["name"]!, at + 22)
  bytes.writeUInt16LE(fields["extra"]!, at + 24)
  if (central) {
    bytes.writeUInt32LE(fields["attributes"]!, 38)
    bytes.writeUInt32LE(fields["offset"]!, 42)
  }
  return bytes
}

const extraOf = (zip64: RawEntry["zip64"]): Buffer => {
  if (zip64 === undefined) return Buffer.alloc(0)
  const bytes = Buffer.alloc(20)
  bytes.writeUInt16LE(1, 0)
  bytes.writeUInt16LE(16, 2)
  bytes.writeBigUInt64LE(zip64[0], 4)
  bytes.writeBigUInt64LE(zip64[1], 12)
  return bytes
}

/** An archive byte by byte (APPNOTE 6.3): it may say anything of itself. `count` is how many files it says it has. */
export const rawZip = (entries: ReadonlyArray<RawEntry>, count = entries.length): Buffer => {
  const local: Array<Buffer> = []
  const list: Array<Buffer> = []
  let at = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const data = Buffer.from(entry.data ?? "")
    const { flags = utf8, method = 8, mode = 0o100644, zip64 } = entry
    const packed = method === 8 ? deflateRawSync(data) : data
    const fields = {
      flags,
      method,
      crc: crc32(data),
      packed: packed.length,
      size: data.length,
      name: name.length,
      extra: 0
    }
    const extra = extraOf(zip64)
    list.push(
      header(0x02014b50, true, {
        ...fields,
        packed: zip64 === undefined ? (entry.packedSize ?? packed.length) : 0xffffffff,
        size: zip64 === undefined ? (entry.size ?? data.length) : 0xffffffff,
        extra: extra.length,
        attributes: (mode << 16) >>> 0,
        offset: entry.offset ?? at
      }),
      name,
      extra
    )
    const bytes = Buffer.concat([header(0x04034b50, false, fields), name, packed])
    local.push(bytes)
    at += bytes.length
  }
  const central = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, 0xfffe), 8)
  end.writeUInt16LE(Math.min(count, 0xfffe), 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...local, central, end])
}

/** An archive of well-behaved files. */
export const zipOf = (files: Readonly<Record<string, unknown>>): Buffer =>
  rawZip(
    Object.entries(files).map(([name, content]) => ({
      name,
      data: Buffer.isBuffer(content) || typeof content === "string" ? content : JSON.stringify(content)
    }))
  )

/** Path of a file with these bytes, which goes with the scope. */
const fileOf = (bytes: Buffer) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-zips-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => {
      const path = join(folder, "archive.zip")
      writeFileSync(path, bytes)
      return path
    }
  )

/** Opens the archive, and reads a file of it where one is named; gives why it is refused, or how much was read. */
export const opened = (bytes: Buffer, name?: string, max = 2 ** 40) =>
  Effect.gen(function* () {
    const archive = yield* openArchive(yield* fileOf(bytes))
    if (name === undefined) return "opened"
    const parts = yield* Stream.runCollect(archive.read(name, max))
    return Buffer.concat(parts).length
  }).pipe(
    Effect.scoped,
    Effect.catchTag("ArchiveRefused", ({ message }) => Effect.succeed(message))
  )
