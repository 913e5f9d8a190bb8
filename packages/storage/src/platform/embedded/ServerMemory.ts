import { totalmem } from "node:os"
import { constrainedMemory } from "node:process"

const mega = 1024 * 1024

/** Memory that this process may use, in bytes: the machine's, or less if a container has a limit. */
export const availableMemory = (): number => {
  const bound = constrainedMemory()
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem()
}

const between = (min: number, value: number, max: number): string =>
  `${Math.round(Math.min(max, Math.max(min, value)))}MB`

/**
 * Settings of a server that shares `bytes` of memory with the program, transcoding and the file cache. A machine of 1
 * GB gets 96 MB of buffers, one of 8 GB half a gigabyte. More than 1 GB gains little, since the file cache holds the
 * rest. With enough memory, sorts and hashes of lists need no temporary files.
 */
export const serverMemory = (bytes: number) => {
  const total = bytes / mega
  return {
    shared_buffers: between(96, total / 16, 1024),
    effective_cache_size: between(512, total / 2, 16_384),
    work_mem: between(8, total / 512, 32),
    maintenance_work_mem: between(64, total / 64, 256),
    // After each checkpoint, the first change of a page logs the whole page. With many writes, most of the log is that.
    max_wal_size: between(512, total / 8, 4_096)
  }
}
