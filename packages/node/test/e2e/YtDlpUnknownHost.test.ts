import { seenByYtDlp, unknown } from "./SeenByYtDlp.ts"

seenByYtDlp(unknown)
