//! What Redis does in one step.

/// Makes a log unless there is one, or gates are about to write a lost one anew: then this
/// gate says to them that it knows nothing. Keys: meta, council. Arguments: a generation
/// (empty to make none), the server, the gate. Gives the generation, or nil.
pub(super) const OPEN: &str = r"
if redis.call('EXISTS', KEYS[1]) == 0 then
  if redis.call('EXISTS', KEYS[2]) == 1 then
    redis.call('HSET', KEYS[2], ARGV[3], '0 0 0')
    return false
  end
  if ARGV[1] == '' then return false end
  redis.call('HSET', KEYS[1], 'id', ARGV[1], 'server', ARGV[2])
end
redis.call('HSETNX', KEYS[1], 'server', ARGV[2])
return redis.call('HGET', KEYS[1], 'id')
";

/// Takes an entry. Keys: meta, log. Arguments: generation, server, position and mark of the
/// last entry that the gate has read (no mark if it does not know it), entry, its mark. Gives
/// its number, or nil when the log is not the one that the gate has read: another generation,
/// another server, fewer entries, or another last one. The time is Redis's; the number has no
/// gaps; an entry names the mark of the one before, so that a log set back and gone on is
/// noticed.
pub(super) const APPEND: &str = r"
local has = redis.call('HMGET', KEYS[1], 'id', 'server', 'n', 'mark')
if has[1] ~= ARGV[1] or has[2] ~= ARGV[2] then return false end
local n, read, before = tonumber(has[3] or '0'), tonumber(ARGV[3]), has[4] or ''
if n < read or (n == read and ARGV[4] ~= '' and ARGV[4] ~= before) then return false end
local t = redis.call('TIME')
local ms = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
n = n + 1
redis.call('HSET', KEYS[1], 'n', string.format('%.0f', n), 'mark', ARGV[6])
redis.call('XADD', KEYS[2], '0-' .. string.format('%.0f', n), 't', ms, 'b', before, 'm', ARGV[6], 'e', ARGV[5])
return n
";

/// Makes a snapshot the one that counts, and cuts the log. Keys: meta, log, snapshot.
/// Arguments: generation, count. Gives 0 when it is no longer wanted.
pub(super) const ADOPT: &str = r"
local has = redis.call('HMGET', KEYS[1], 'id', 'snapshot_n', 'snapshot')
if has[1] ~= ARGV[1] or (has[2] and tonumber(has[2]) >= tonumber(ARGV[2])) then
  redis.call('DEL', KEYS[3])
  return 0
end
redis.call('PERSIST', KEYS[3])
redis.call('HSET', KEYS[1], 'snapshot', KEYS[3], 'snapshot_n', ARGV[2])
redis.call('XTRIM', KEYS[2], 'MINID', '0-' .. string.format('%.0f', tonumber(ARGV[2]) + 1))
if has[3] then redis.call('EXPIRE', has[3], 60) end
return 1
";

/// A gate publishes what it knows of a log, and reads what the others published. Keys: meta, council.
/// Arguments: the gate, what it knows. Gives generation, count, server, base and all voices.
pub(super) const SPEAK: &str = r"
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], 5000)
local has = redis.call('HMGET', KEYS[1], 'id', 'n', 'server')
return {has[1] or '', has[2] or '0', has[3] or '', redis.call('HGETALL', KEYS[2])}
";

/// The log is whole: it goes on at this server. Keys: meta, council. Arguments: generation,
/// count, the server. Gives 0 when something changed meanwhile.
pub(super) const CONFIRM: &str = r"
local has = redis.call('HMGET', KEYS[1], 'id', 'n')
if has[1] ~= ARGV[1] or (has[2] or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'server', ARGV[3])
redis.call('DEL', KEYS[2])
return 1
";

/// Begins a generation from a snapshot. Keys: meta, log, council, snapshot. Arguments: the
/// generation that was found (empty for none), the new one, count, the server. Gives 0 when
/// another was faster.
pub(super) const TAKE_OVER: &str = r"
local has = redis.call('HMGET', KEYS[1], 'id', 'snapshot')
if (has[1] or '') ~= ARGV[1] then return 0 end
if has[2] then redis.call('EXPIRE', has[2], 60) end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('PERSIST', KEYS[4])
redis.call('HSET', KEYS[1], 'id', ARGV[2], 'n', ARGV[3], 'server', ARGV[4],
  'snapshot', KEYS[4], 'snapshot_n', ARGV[3], 'base', ARGV[3])
return 1
";

/// Forgets a log that nobody has open. Keys: meta, log, council.
pub(super) const FORGET: &str = r"
local snapshot = redis.call('HGET', KEYS[1], 'snapshot')
if snapshot then redis.call('DEL', snapshot) end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
";

/// A gate is there. Keys: gates. Arguments: the gate, the version of the rules it knows. Gives
/// of each gate its number, how many seconds ago it was there last, and its version; forgets
/// who was not for ten minutes. A gate that says no version knows the first.
pub(super) const PRESENT: &str = r"
local now = tonumber(redis.call('TIME')[1])
redis.call('HSET', KEYS[1], ARGV[1], now, 'v:' .. ARGV[1], ARGV[2])
local all, versions, ages = redis.call('HGETALL', KEYS[1]), {}, {}
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 2) == 'v:' then versions[string.sub(all[i], 3)] = all[i + 1] end
end
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 2) ~= 'v:' then
    local age = now - tonumber(all[i + 1])
    if age > 600 then
      redis.call('HDEL', KEYS[1], all[i], 'v:' .. all[i])
    else
      ages[#ages + 1] = all[i]
      ages[#ages + 1] = string.format('%.0f', math.max(age, 0))
      ages[#ages + 1] = versions[all[i]] or '1'
    end
  end
end
return ages
";
