import { hash, randomBytes } from "node:crypto"

/** A torrent (BEP 3) of one small file, unlike any other. */
export const smallTorrent = () => {
  const head = "d6:lengthi4e4:name1:a12:piece lengthi4e6:pieces20:"
  const info = Buffer.concat([Buffer.from(head), randomBytes(20), Buffer.from("e")])
  return {
    bytes: Buffer.concat([Buffer.from("d4:info"), info, Buffer.from("e")]),
    infoHash: hash("sha1", info)
  }
}
