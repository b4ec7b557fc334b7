/// A script that Redis runs in one step, in its own language.
///
/// A partition has, under one hash tag: `in`, a stream of events whose identifiers are their
/// numbers; `log`, one of changes; `meta`, a hash of numbers, and of the lease's owner and end;
/// `prod`, the last number of each producer; `claims`, whose packs are taken of those whose names
/// last; `uses`, when the others sent something last, to the hour, which are forgotten a day later;
/// `dead`, a stream; and snapshots, a list each.
///
/// When Redis has no memory left, it refuses the first write of a script that may take some, and no
/// later ones. What workers do makes room in the end, and so begins with a write that takes none:
/// see `evenIfFull`.
enum RedisScript: Int, CaseIterable {
  case open, send, claim, beat, acquire, renew, release, commit, piece, snapshot

  var source: String {
    switch self {
    case .open:
      // KEYS: settings. ARGV: partitions, schema, what tells this founding from others.
      """
      local s = redis.call('HMGET', KEYS[1], 'partitions', 'schema', 'id')
      if s[1] and s[2] and s[3] then return s end
      \(RedisScript.evenIfFull)
      redis.call('HSETNX', KEYS[1], 'partitions', ARGV[1])
      redis.call('HSETNX', KEYS[1], 'schema', ARGV[2])
      redis.call('HSETNX', KEYS[1], 'id', ARGV[3])
      return redis.call('HMGET', KEYS[1], 'partitions', 'schema', 'id')
      """
    case .send:
      // KEYS: in, meta, prod, claims, uses. ARGV: producer, first number, last number, count,
      // events, limit, epoch of the claim, its owner, 0 if a producer without a claim need not be
      // noted as used: it was, not long ago, 1 if what memory is left is the workers', and the
      // producer's last number that is known to be here. Numbers of producers are compared as
      // texts, since numbers here are exact to 2^53 only.
      """
      local function less(a, b) return #a < #b or (#a == #b and a < b) end
      if ARGV[8] ~= '' then
        local c = redis.call('HGET', KEYS[4], ARGV[1])
        local epoch, sender = string.match(c or '0 ', '^(%d+) (.*)$')
        if less(ARGV[7], epoch) or (epoch == ARGV[7] and sender ~= ARGV[8]) then return {3, 0} end
      end
      local known, last = redis.call('HGET', KEYS[3], ARGV[1]), ARGV[3]
      if less(known or '0', ARGV[11]) then return {6, known or '0'} end
      if known and not less(known, last) then return {1, 0} end
      if known and not less(known, ARGV[2]) then return {4, known} end
      local m = redis.call('HMGET', KEYS[2], 'sent', 'done')
      local sent, done = tonumber(m[1] or 0), tonumber(m[2] or 0)
      if sent - done >= tonumber(ARGV[6]) then return {2, sent - done} end
      if ARGV[10] == '1' then return {5, 0} end
      local number = sent + tonumber(ARGV[4])
      if ARGV[8] == '' and (not known or ARGV[9] ~= '0') then
        \(RedisScript.now)
        local old = redis.call('ZRANGEBYSCORE', KEYS[5], '-inf',
          string.format('%.0f', now - 90000000), 'LIMIT', 0, 8)
        for _, producer in ipairs(old) do
          redis.call('HDEL', KEYS[3], producer)
          redis.call('ZREM', KEYS[5], producer)
        end
        redis.call('ZADD', KEYS[5], string.format('%.0f', now), ARGV[1])
      end
      redis.call('XADD', KEYS[1], string.format('%.0f-0', number), 'c', ARGV[4], 'd', ARGV[5])
      redis.call('HSET', KEYS[2], 'sent', string.format('%.0f', number))
      redis.call('HSET', KEYS[3], ARGV[1], last)
      return {0, number - done}
      """
    case .claim:
      // KEYS: claims, prod. ARGV: producer, epoch, claimant. If the epoch that is there is not
      // the one before, another has claimed it, or this comes late.
      """
      local c = redis.call('HGET', KEYS[1], ARGV[1])
      local epoch, sender = string.match(c or '0 ', '^(%d+) (.*)$')
      if tonumber(epoch) + 1 == tonumber(ARGV[2]) then
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
      elseif tonumber(epoch) ~= tonumber(ARGV[2]) or sender ~= ARGV[3] then
        return {0, 0}
      end
      return {1, redis.call('HGET', KEYS[2], ARGV[1]) or '0'}
      """
    case .beat:
      // KEYS: workers. ARGV: worker, milliseconds. All beat twice a second or more often: one that
      // has much more time left than a lease does since the clock was set back, and may have ended.
      """
      \(RedisScript.now)
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
      local most = string.format('%.0f', now + math.max(tonumber(ARGV[2]), 2000))
      for _, worker in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. most, '+inf')) do
        redis.call('ZADD', KEYS[1], most, worker)
      end
      if tonumber(ARGV[2]) > 0 then
        redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
      else
        redis.call('ZREM', KEYS[1], ARGV[1])
      end
      return redis.call('ZRANGE', KEYS[1], 0, -1)
      """
    case .acquire:
      // KEYS: meta. ARGV: worker, milliseconds. A lease that has more left than it lasts does since
      // the clock was set back: it ends, unless it is renewed, when it would if it began now.
      """
      \(RedisScript.now)
      local m = redis.call('HMGET', KEYS[1], 'owner', 'until', 'epoch', 'done', 'log', 'lease')
      local ends = tonumber(m[2] or 0)
      if m[1] and m[1] ~= '' and m[1] ~= ARGV[1] and ends > now then
        local most = now + tonumber(m[6] or ARGV[2])
        if ends > most then
          \(RedisScript.evenIfFull)
          redis.call('HSET', KEYS[1], 'until', string.format('%.0f', most))
          ends = most
        end
        return {0, ends - now}
      end
      local epoch = tonumber(m[3] or 0) + 1
      \(RedisScript.evenIfFull)
      redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'until', string.format('%.0f', now + ARGV[2]),
        'lease', ARGV[2], 'epoch', string.format('%.0f', epoch))
      return {1, epoch, tonumber(m[4] or 0), tonumber(m[5] or 0)}
      """
    case .renew:
      // KEYS: meta. ARGV: worker, epoch, milliseconds.
      """
      \(RedisScript.now)
      local m = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'sent')
      if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] then return {0, 0} end
      \(RedisScript.evenIfFull)
      redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + ARGV[3]))
      return {1, tonumber(m[3] or 0)}
      """
    case .release:
      // KEYS: meta. ARGV: worker, epoch.
      """
      local m = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
      if m[1] == ARGV[1] and m[2] == ARGV[2] then
        \(RedisScript.evenIfFull)
        redis.call('HSET', KEYS[1], 'owner', '', 'until', '0')
      end
      return 1
      """
    case .commit:
      // KEYS: meta, in, log, dead. ARGV: worker, epoch, number, offset, milliseconds, changes, and
      // three for each event that is set aside. Redis takes nothing back of a script that fails:
      // what may fail is looked at before, or is what is written first.
      """
      \(RedisScript.now)
      local m = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'log')
      if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] then return 1 end
      if tonumber(m[3] or 0) ~= tonumber(ARGV[3]) then return 2 end
      for i = 2, 4 do
        local kind = redis.call('TYPE', KEYS[i]).ok
        if kind ~= 'stream' and kind ~= 'none' then
          return redis.error_reply('WRONGTYPE ' .. KEYS[i] .. ' is no stream')
        end
      end
      if #ARGV > 6 and redis.call('EXISTS', KEYS[4]) == 1 then
        local about = redis.call('XINFO', 'STREAM', KEYS[4])
        for i = 1, #about, 2 do
          if about[i] == 'last-generated-id'
            and tonumber(string.match(about[i + 1], '^%d+')) >= tonumber(ARGV[7]) then
            return redis.error_reply('ERR ' .. KEYS[4] .. ' has later events')
          end
        end
      end
      local number = string.format('%.0f', tonumber(ARGV[3]) + 1)
      \(RedisScript.evenIfFull)
      redis.call('XADD', KEYS[3], number .. '-0', 'o', ARGV[4], 'd', ARGV[6])
      for i = 7, #ARGV, 3 do
        redis.call('XADD', KEYS[4], ARGV[i] .. '-0', 'r', ARGV[i + 1], 'd', ARGV[i + 2])
      end
      redis.call('HSET', KEYS[1], 'log', number, 'done', ARGV[4],
        'until', string.format('%.0f', now + ARGV[5]))
      redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', tonumber(ARGV[4]) + 1))
      return 0
      """
    case .piece:
      // KEYS: meta, a snapshot that is being written. ARGV: worker, epoch, a piece of it, for how
      // many milliseconds it stays unless it is switched to.
      """
      local m = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
      if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] then return 0 end
      \(RedisScript.evenIfFull)
      redis.call('RPUSH', KEYS[2], ARGV[3])
      redis.call('PEXPIRE', KEYS[2], ARGV[4])
      return 1
      """
    case .snapshot:
      // KEYS: meta, log, the new one, the old one. ARGV: worker, epoch, number, name of the new
      // one, and of the old one, number of pieces. Some of these may have gone, if they took too
      // long to come.
      """
      local m = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'snap')
      if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] or (m[3] or '') ~= ARGV[5]
        or redis.call('LLEN', KEYS[3]) ~= tonumber(ARGV[6]) then
        redis.call('DEL', KEYS[3])
        return 0
      end
      local kind = redis.call('TYPE', KEYS[2]).ok
      if kind ~= 'stream' and kind ~= 'none' then
        return redis.error_reply('WRONGTYPE ' .. KEYS[2] .. ' is no stream')
      end
      redis.call('PERSIST', KEYS[3])
      redis.call('HSET', KEYS[1], 'snap', ARGV[4])
      redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', tonumber(ARGV[3]) + 1))
      if ARGV[5] ~= '' then redis.call('UNLINK', KEYS[4]) end
      return 1
      """
    }
  }

  /// A write that takes no memory, before others that do: Redis 6.2 has no flag for
  /// that.
  private static let evenIfFull = "redis.call('HDEL', KEYS[1], '')"

  /// The broker's time in milliseconds.
  private static let now = """
    local t = redis.call('TIME')
    local now = t[1] * 1000 + math.floor(t[2] / 1000)
    """
}
