module-not-fetched = cannot get { $url }: { $reason }
module-unreachable = cannot get { $url }: { $reason }; `loadline vendor SCRIPT` stores modules beside the script where there is a network, HTTPS_PROXY names a proxy
module-offline = { $url } is neither stored beside the script nor in the cache, and --offline forbids fetching it; store it once with `loadline vendor SCRIPT`
module-changed = { $url } is not what the lock file names: its server sends SHA-256 { $found }, not { $locked }; look at what changed, then accept it with `loadline vendor SCRIPT`
module-tampered = { $file } is not what the lock file names for { $url }: its SHA-256 is { $found }, not { $locked }; restore it, or store it anew with `loadline vendor SCRIPT`
module-unreadable = { $file }, which holds { $url }, cannot be read (error { $errno } of the system)
module-lock = { $path } cannot be read: { $reason }; restore it from version control, or remove it and run `loadline vendor SCRIPT` again
module-too-deep = { $url } is imported through more than { $most } { $most ->
    [one] remote module
   *[other] remote modules
} in a row
module-too-many = { $url } is one too many: a script may import { $most } { $most ->
    [one] remote module
   *[other] remote modules
}
code-foreign = { $file } is not run: it belongs to user { $owner } and lies outside the test's folder, or where everybody may write. If you trust it: loadline trust { $folder }
module-too-large-together = with { $url } the remote modules have more than { $limit } { $limit ->
    [one] byte
   *[other] bytes
} together
fetch-invalid-url = { $url } is not a URL
fetch-no-such-host = no address was found for the name { $host }
fetch-refused = nobody answers at { $address } (connection refused)
fetch-timed-out = there was no answer within { $seconds } s
fetch-certificate = the certificate of { $host } is not trusted; SSL_CERT_FILE names the authorities to trust
fetch-connection = the connection failed ({ $detail })
fetch-status = { $url } answered with status { $status }
fetch-too-large = it has more than { $limit } { $limit ->
    [one] byte
   *[other] bytes
}, the most a module may have
fetch-leaves-https = it is redirected to { $to }, which is not https
fetch-too-many-redirects = it is redirected more than { $most } { $most ->
    [one] time
   *[other] times
}
fetch-setup = no connection can be made on this machine (error { $errno } of the system)
module-stale = { $url }: { $reason }. The copy of { $date } runs
module-built-in = { $url }: { $reason }. loadline's own copy of this module runs
module-built-in-offline = { $url }: loadline's own copy of this module runs, as --offline forbids fetching it
module-not-locked = { $url } is not in { $lock }; `loadline vendor SCRIPT` adds it
module-not-cached = modules cannot be kept in { $path } (error { $errno } of the system); the next run fetches them again
show-modules = modules
import-misspelt = "{ $module }" has no "{ $name }"; did you mean "{ $nearest }"?
import-unknown = "{ $module }" has no "{ $name }"
script-file-missing = there is no file "{ $name }"
script-file-misspelt = there is no file "{ $name }"; did you mean "{ $nearest }"?
script-option-misspelt = there is no option "{ $name }"; did you mean "{ $nearest }"?
script-file-blank = { $path } holds no rows: what the script reads of one is undefined
script-option-unknown = there is no option "{ $name }"
script-executor-misspelt = there is no executor "{ $name }"; did you mean "{ $nearest }"?
script-executor-unknown = there is no executor "{ $name }"
