/** A row of `video_file` of another instance that has a torrent. */
interface RemoteTorrent {
  readonly id: number
  /** 40 hexadecimal digits. */
  readonly infoHash: string
}

const form = /^([0-9a-f]{40})-([1-9]\d{0,9})\.torrent$/
const largestId = 0x7f_ff_ff_ff

/**
 * The name under which this instance serves the torrent of a file of another one. It is that of a row whose torrent never
 * changes, so a name always means the same bytes. `remote_torrents_gone` in SQL makes the same names.
 */
export const remoteTorrentName = ({ id, infoHash }: RemoteTorrent): string => `${infoHash}-${id}.torrent`

/** The row that such a name means. Undefined for names of another form. */
export const readRemoteTorrentName = (name: string): RemoteTorrent | undefined => {
  const parts = form.exec(name)
  const id = Number(parts?.[2] ?? 0)
  return parts === null || id > largestId ? undefined : { id, infoHash: parts[1]! }
}
