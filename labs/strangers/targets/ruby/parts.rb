# Resources of which there are so many, with the ledger of their own use; connections to databases and to other servers.
require 'net/http'
require 'resolv'
require 'socket'

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# A request ends with this status.
class Failure < StandardError
  attr_reader :status

  def initialize(status, message)
    super(message)
    @status = status
  end
end

# So many places and who waits for them.
class Part
  attr_reader :size

  def initialize(size, queue: -1, timeout_ms: 0)
    @size, @queue, @timeout = size, queue, timeout_ms / 1000.0
    @lock, @freed = Mutex.new, ConditionVariable.new
    @busy = @waiting = @wait_count = @hold_count = @refused = 0
    @busy_s = @wait_s = @hold_s = 0.0
    @changed = now
  end

  def use
    take
    began = now
    begin
      yield
    ensure
      give(began)
    end
  end

  def ledger
    @lock.synchronize do
      account(0)
      { size: @size, busy: @busy, waiting: @waiting, busy_s: @busy_s, wait_count: @wait_count, wait_s: @wait_s, hold_count: @hold_count,
        hold_s: @hold_s, refused: @refused }
    end
  end

  private

  def account(change)
    at = now
    @busy_s += @busy * (at - @changed)
    @changed = at
    @busy += change
  end

  def take
    @lock.synchronize do
      wait if @busy >= @size
      account(1)
    end
  end

  def wait
    if @queue >= 0 && @waiting >= @queue
      @refused += 1
      raise Failure.new(503, 'the queue is full')
    end
    began = now
    @waiting += 1
    while @busy >= @size
      left = @timeout.positive? ? @timeout - (now - began) : nil
      timed_out(now - began) if left && left <= 0
      @freed.wait(@lock, left)
    end
    @waiting -= 1
    @wait_count += 1
    @wait_s += now - began
  end

  # The words of ActiveRecord::ConnectionTimeoutError.
  def timed_out(waited)
    @waiting -= 1
    @refused += 1
    raise Failure.new(500, format('could not obtain a connection from the pool within %.3f seconds (waited %.3f seconds); all pooled connections were in use', @timeout, waited))
  end

  def give(began)
    @lock.synchronize do
      account(-1)
      @hold_count += 1
      @hold_s += now - began
      @freed.signal
    end
  end
end

# Connections that are made when they are needed and kept for the next.
class Kept
  def initialize(&make)
    @make, @idle = make, Queue.new
  end

  def size = @idle.size

  # One that failed is not kept.
  def with
    connection = begin
      @idle.pop(true)
    rescue ThreadError
      @make.call
    end
    answer = yield connection
    @idle << connection
    answer
  end
end

def connected(port)
  socket = TCPSocket.new('127.0.0.1', port)
  socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
  socket
end

# PostgreSQL by its simple query protocol, or the line protocol of the stand-in.
class Connection
  def initialize(config, name)
    @is_postgres = config['kind'] == 'postgres'
    @socket = connected(config['port'])
    return unless @is_postgres

    words = ['user', config['user'], 'database', config['database'], 'application_name', name, ''].map { |word| "#{word}\0" }.join
    @socket.write([words.bytesize + 8, 196_608].pack('NN') + words)
    until_ready
  end

  def query(sql, milliseconds)
    if @is_postgres
      @socket.write("Q#{[sql.bytesize + 5].pack('N')}#{sql}\0")
      until_ready
    else
      @socket.write("#{milliseconds} #{sql}\n")
      @socket.gets
    end
  end

  private

  def until_ready
    failed = nil
    loop do
      kind, size = @socket.read(5).unpack('aN')
      body = @socket.read(size - 4)
      failed = body.split("\0").find { |field| field.start_with?('M') }&.slice(1..) if kind == 'E'
      # The server ends the session; nothing more comes.
      raise "PG::ConnectionBad: #{failed}" if failed && body.include?('FATAL')
      break if kind == 'Z'
    end
    raise "PG::Error: ERROR:  #{failed}" if failed
  end
end

# A part whose places are connections.
class Pool < Part
  def initialize(config, name)
    super(config['size'], timeout_ms: config['timeout_ms'])
    @kept = Kept.new { Connection.new(config, name) }
  end

  def idle = @kept.size

  def with(&body)
    use { @kept.with(&body) }
  end
end

# Redis by its own protocol.
class Redis
  def initialize(port)
    @socket = connected(port)
  end

  def call(words)
    @socket.write("*#{words.size}\r\n#{words.map { |word| "$#{word.bytesize}\r\n#{word}\r\n" }.join}")
    answer
  end

  private

  def answer
    kind, rest = (line = @socket.gets("\r\n", chomp: true) || raise('Redis::CannotConnectError: Connection lost'))[0], line[1..]
    case kind
    when '*' then Array.new([rest.to_i, 0].max) { answer }
    when '$' then rest.to_i.negative? ? nil : @socket.read(rest.to_i + 2)[0..-3]
    when '-' then raise "Redis::CommandError: #{rest}"
    else rest
    end
  end
end

# Other servers by net/http, whose connections are kept.
class Calls
  def initialize
    @kept, @lock = {}, Mutex.new
  end

  # Status and Retry-After, s, or nil.
  def get(url)
    uri = URI(url)
    kept = @lock.synchronize do
      @kept[uri.port] ||= Kept.new { Net::HTTP.new(uri.host, uri.port).tap { |http| http.keep_alive_timeout = 60 }.start }
    end
    answer = kept.with { |http| http.get(uri.request_uri) }
    [answer.code.to_i, answer['Retry-After']&.to_i]
  end
end

# Asks a name server for an address, each time anew, as a program without a cache of names does.
def looked_up(name, port)
  resolver = Resolv::DNS.new(nameserver_port: [['127.0.0.1', port]], search: [], ndots: 1)
  resolver.getaddress(name).to_s
ensure
  resolver&.close
end
