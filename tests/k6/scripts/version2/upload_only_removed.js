// @args --upload-only
// @exit 255
// @since 2.0
// A flag that went with its command.
export default function () {}
