import { Data } from "effect"

/** A folder the node needs cannot be used; `message` says which, why and what to do. */
export class FolderUnusable extends Data.TaggedError("FolderUnusable")<{ readonly message: string }> {}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  ENOENT: "no folder can be made there",
  ENOTDIR: "a file stands in its way",
  EEXIST: "a file stands in its way"
}

/** The failure of a folder, in words for the operator. */
export const folderUnusable = (folder: string, cause: unknown): FolderUnusable => {
  const { code, message } = cause as NodeJS.ErrnoException
  const reason = reasons[code ?? ""] ?? message
  return new FolderUnusable({
    message: `The folder ${folder} cannot be written: ${reason}. Give it to the user Kinora runs as, or set another one.`
  })
}
