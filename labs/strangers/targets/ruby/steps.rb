# What a request does, step by step.
require 'digest'

BLOCK = ("\0" * 4096).freeze

# Uses so much CPU time of its thread, whatever else runs on the machine.
def compute(milliseconds)
  clock = Process::CLOCK_THREAD_CPUTIME_ID
  limit = Process.clock_gettime(clock) + milliseconds / 1000.0
  10.times { Digest::SHA256.digest(BLOCK) } while Process.clock_gettime(clock) < limit
end

# One request on its way through the steps.
class Request
  def initialize(app, id, span)
    @app, @id, @span = app, id, span
  end

  def run(steps)
    steps.each { |step| one(step) }
  end

  private

  def one(step)
    case step['do']
    when 'pool' then @app.pools[step['of']].with { |connection| on(connection, step) }
    when 'sql' then [step['times'] || 1, 1].max.times { query('SELECT shop', step, step['ms']) }
    when 'row' then row(step)
    when 'lock' then @app.locks[step['of']].use { run(step['steps']) }
    when 'executor' then @app.executors[step['of']].use { run(step['steps']) }
    when 'call' then call(step)
    # Ruby's digests hold the interpreter's lock as its own code does.
    when 'cpu', 'interpret' then compute(step['ms'])
    when 'sleep' then sleep(step['ms'] / 1000.0)
    when 'cache' then run(step['steps']) if @app.missing?(@id % step['keys'])
    when 'redis' then redis(step)
    when 'files' then files(step)
    else raise "unknown step #{step['do']}"
    end
  end

  def on(connection, step)
    @connection = connection
    run(step['steps'])
  ensure
    @connection = nil
  end

  def traced(name, **attributes)
    span = @app.tracer.child(@span, name, attributes.transform_keys(&:to_s))
    yield
  ensure
    @app.tracer.end(span)
  end

  def query(name, step, milliseconds)
    sql = step['sql'].sub('$1', @id.to_s).sub('$2', format('%.5f', milliseconds / 1000.0))
    traced(name, 'db.system': 'postgresql', 'db.statement': step['sql']) { @connection.query(sql, milliseconds) }
  end

  def row(step)
    @connection.query('begin', 0)
    query('UPDATE shop', step, 0)
    @app.rows.use { run(step['steps']) }
    @connection.query('commit', 0)
  end

  def redis(step)
    words = step['command'].map { |word| word.sub('$1', @id.to_s) }
    traced(words[0], 'db.system': 'redis', 'db.statement': step['command'].join(' ')) { @app.redis.with { |one| one.call(words) } }
  end

  # So many files are open while the inner steps are done.
  def files(step)
    opened = []
    step['count'].times { opened << File.open(@app.config['catalogue']) }
    run(step['steps'])
  ensure
    opened.each(&:close)
  end

  def call(step)
    attempt = 0
    loop do
      status, after = call_once(step)
      return if status < 400
      raise Failure.new(502, "#{step['of']} answered #{status}") if attempt >= (step['retries'] || 0)

      attempt += 1
      @app.log.warn("retry #{attempt} of #{step['of']} after #{status}")
      sleep(after || rand(0.05..0.15))
    end
  end

  def call_once(step)
    uri = URI("#{step['url']}?ms=#{step['ms']}")
    began = now
    span = @app.tracer.child(@span, 'HTTP GET', 'http.request.method' => 'GET', 'url.full' => uri.to_s, 'server.address' => uri.host,
                                                'server.port' => uri.port)
    uri.host = looked_up(uri.host, @app.names) if step['name']
    status, after = @app.calls.get(uri.to_s)
    @app.page.called(step['of'], status, now - began)
    [status, after]
  ensure
    @app.tracer.end(span, 'http.response.status_code' => status || 0)
  end
end
