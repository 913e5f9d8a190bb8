/** What is logged at the start of a process with this user id; nothing for others than root. */
export const rootNotice = (uid: number | undefined, dataDir: string): string | undefined =>
  uid === 0
    ? `Kinora runs as root, and stays root because the files in ${dataDir} may belong to it. ` +
      "It needs no right of root: start it as a user of its own (docs/operating.md)."
    : undefined
