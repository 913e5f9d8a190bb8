import { access } from "node:fs/promises"

/** Whether there is anything of the name. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false
  )
