/** The file that starts a deployment from its snapshot, and from its bundle where the snapshot does not fit. */

/**
 * A program for any POSIX shell, because Node itself ends with 14 when it is another one than that of the snapshot, on another
 * processor, or without the file. What dies while it starts has perhaps a damaged file: that is looked at then.
 */
export function launcherText(flags: readonly string[]): string {
  const quoted = flags.map((flag) => ` '${flag.replaceAll("'", `'\\''`)}'`).join('')
  return `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
node=\${NODE:-node}
"$node"${quoted} --snapshot-blob "$here/snapshot.blob" "$here" "$@" <&0 &
child=$!
for signal in HUP INT QUIT TERM USR1 USR2; do trap "kill -$signal $child 2>/dev/null" $signal; done
wait $child
status=$?
# A signal ends the waiting, not the process.
while kill -0 $child 2>/dev/null; do wait $child; status=$?; done
case $status in
  14) ;;
  132|133|134|135|136|139) "$node" "$here/snapshot-check.js" && exit $status ;;
  *) exit $status ;;
esac
trap - HUP INT QUIT TERM USR1 USR2
echo "The snapshot cannot be started; the application is started from its bundle." >&2
exec "$node"${quoted} "$here" "$@"
`
}

/** Ends with 0 when the snapshot is as it was deployed. */
export function checkText(format: 'cjs' | 'es'): string {
  const here = format === 'cjs' ? '__dirname' : 'import.meta.dirname'
  return `const { readFileSync } = process.getBuiltinModule('node:fs')
const read = (name) => readFileSync(process.getBuiltinModule('node:path').join(${here}, name))
const { size, crc32 } = JSON.parse(read('snapshot.json'))
const blob = read('snapshot.blob')
const isWhole = blob.length === size && process.getBuiltinModule('node:zlib').crc32(blob) === crc32
process.exit(isWhole ? 0 : 1)
`
}
