//! What Redis does in one step.

/// Makes a log unless there is one. Keys: meta. Arguments: a generation. Gives the generation.
pub(super) const OPEN: &str = r"
redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
return redis.call('HGET', KEYS[1], 'id')
";

/// Takes an entry. Keys: meta, log. Arguments: generation, entry, its mark. Gives its number,
/// or nil when the generation is another. The time is Redis's; the number has no gaps; an
/// entry names the mark of the one before, so that a log set back and gone on is noticed.
pub(super) const APPEND: &str = r"
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return false end
local t = redis.call('TIME')
local ms = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
local n = redis.call('HINCRBY', KEYS[1], 'n', 1)
local before = redis.call('HGET', KEYS[1], 'mark') or ''
redis.call('HSET', KEYS[1], 'mark', ARGV[3])
redis.call('XADD', KEYS[2], '0-' .. string.format('%.0f', n), 't', ms, 'b', before, 'm', ARGV[3], 'e', ARGV[2])
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

/// Begins a generation from a snapshot. Keys: meta, log, snapshot. Arguments: the generation
/// that was found (empty for none), the new one, count. Gives 0 when another was faster.
pub(super) const TAKE_OVER: &str = r"
if (redis.call('HGET', KEYS[1], 'id') or '') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('PERSIST', KEYS[3])
redis.call('HSET', KEYS[1], 'id', ARGV[2], 'n', ARGV[3], 'snapshot', KEYS[3], 'snapshot_n', ARGV[3])
return 1
";
