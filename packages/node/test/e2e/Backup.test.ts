import { backupRestored } from "./BackupRestored.ts"

backupRestored("external")
