import { totalmem } from "node:os"
import { constrainedMemory } from "node:process"

const mega = 1024 * 1024

/** What this process may use, in bytes: the machine's memory, or less where a container sets a bound. */
export const availableMemory = (): number => {
  const bound = constrainedMemory()
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem()
}

const between = (least: number, value: number, most: number): string =>
  `${Math.round(Math.min(most, Math.max(least, value)))}MB`

/**
 * Settings of a server that shares `bytes` of memory with the program, transcoding and the cache of files. A machine of
 * 1 GB gets 96 MB of buffers, one of 8 GB half a gigabyte; more than 1 GB gains little, since the cache of files holds the
 * rest. Sorts and hashes over lists get enough to stay out of files where there is plenty.
 */
export const serverMemory = (bytes: number) => {
  const total = bytes / mega
  return {
    shared_buffers: between(96, total / 16, 1024),
    effective_cache_size: between(512, total / 2, 16_384),
    work_mem: between(8, total / 512, 32),
    maintenance_work_mem: between(64, total / 64, 256),
    // Each page that changes is logged whole once between two checkpoints: where much is written, most of the log is that.
    max_wal_size: between(512, total / 8, 4_096)
  }
}
