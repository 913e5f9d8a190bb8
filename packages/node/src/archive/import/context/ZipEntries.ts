import type { Entry, ZipFile } from "yauzl"
import { ArchiveRefused } from "./ArchiveRefused.ts"

/**
 * Limits for an archive. Real archives stay far below them: media hardly compress, and JSON compresses about thirty
 * times.
 */
const zipLimits = {
  entries: 100_000,
  nameLength: 500,
  /** Highest ratio of unpacked to packed size, for files larger than `smallFile` bytes. */
  ratio: 200,
  smallFile: 1024 ** 2,
  /** The same for all files together. */
  totalRatio: 100,
  smallTotal: 64 * 1024 ** 2
} as const

/** A file of an archive, and its place in it. */
export interface ZipMember {
  readonly name: string
  /** Bytes, packed and unpacked. */
  readonly packed: number
  readonly size: number
  readonly offset: number
  readonly entry: Entry
}

const refuse = (message: string): never => {
  throw new ArchiveRefused({ message })
}

// oxlint-disable-next-line no-control-regex -- these characters are what is refused
const unfit = /[\u0000-\u001f\u007f\ufffd]/

const regularFile = 0o100000
const folder = 0o040000
const typeMask = 0o170000
const madeByUnix = 3
const stored = 0
const deflated = 8
const headerBytes = 30

/**
 * Refuses names that are not those of a file inside the archive. `yauzl` already refuses `..`, `\`, and a leading `/`
 * or drive.
 */
const checkName = (name: string): void => {
  if (name.length > zipLimits.nameLength || unfit.test(name)) refuse("A file of the archive has a name that is not one")
  const parts = name.split("/")
  if (name.endsWith("/")) parts.pop()
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    refuse("A file of the archive has a name that leads out of it")
  }
}

const checkKind = (entry: Entry): void => {
  if (entry.isEncrypted()) refuse("The archive is encrypted")
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
    refuse("A file of the archive is packed in a way that is not known here")
  }
  const type = entry.versionMadeBy >> 8 === madeByUnix ? (entry.externalFileAttributes >>> 16) & typeMask : 0
  if (type !== 0 && type !== regularFile && type !== folder)
    refuse("The archive holds links, or other things than files")
}

const checkSize = ({ compressedSize, uncompressedSize }: Entry, archiveBytes: number): void => {
  if (compressedSize > archiveBytes) refuse("A file of the archive is said to be larger than the archive")
  if (uncompressedSize > zipLimits.smallFile && uncompressedSize > compressedSize * zipLimits.ratio) {
    refuse("A file of the archive grows beyond measure when it is unpacked")
  }
}

/** Keeps only what is needed to read it: an archive can have very many entries. */
const lean = (entry: Entry): Entry => {
  const { compressedSize, compressionMethod, generalPurposeBitFlag, relativeOffsetOfLocalHeader, uncompressedSize } =
    entry
  return Object.assign(Object.create(Object.getPrototypeOf(entry) as object) as Entry, {
    compressedSize,
    compressionMethod,
    generalPurposeBitFlag,
    relativeOffsetOfLocalHeader,
    uncompressedSize
  })
}

/** No two files share bytes: each begins after the end of the one before. */
const checkOverlaps = (members: ReadonlyArray<ZipMember>): void => {
  let end = 0
  for (const { name, offset, packed } of members.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < end) refuse("Files of the archive lie over each other")
    end = offset + headerBytes + Buffer.byteLength(name) + packed
  }
}

/** Reads the list of files and refuses malicious archives before anything is unpacked. */
export const zipMembers = async (zip: ZipFile): Promise<ReadonlyMap<string, ZipMember>> => {
  if (zip.entryCount > zipLimits.entries) refuse(`The archive holds more than ${zipLimits.entries} files`)
  const members = new Map<string, ZipMember>()
  const names = new Set<string>()
  let total = 0
  let count = 0
  for await (const entry of zip.eachEntry()) {
    if (++count > zipLimits.entries) refuse(`The archive holds more than ${zipLimits.entries} files`)
    const name = entry.fileName
    checkName(name)
    checkKind(entry)
    checkSize(entry, zip.fileSize)
    // Some file systems treat such names as one, and a reader of the archive would too.
    const same = name.normalize("NFC").toLowerCase()
    if (names.has(same)) refuse("Two files of the archive have the same name")
    names.add(same)
    total += entry.uncompressedSize
    if (total > zipLimits.smallTotal && total > zip.fileSize * zipLimits.totalRatio) {
      refuse("The archive grows beyond measure when it is unpacked")
    }
    if (name.endsWith("/")) continue
    members.set(name, {
      name,
      packed: entry.compressedSize,
      size: entry.uncompressedSize,
      offset: entry.relativeOffsetOfLocalHeader,
      entry: lean(entry)
    })
  }
  checkOverlaps([...members.values()])
  return members
}
