/**
 * An S3 server in a process of its own, which can be killed: `node S3Program.ts FOLDER PORT BUCKET...`. It says "listening" once it
 * answers, and finds what is in the folder.
 */
import { argv, stdout } from "node:process"
import { runS3Server } from "./S3Server.ts"

const [directory = "", port = "0", ...buckets] = argv.slice(2)
await runS3Server(directory, Number(port), buckets)
stdout.write("listening\n")
