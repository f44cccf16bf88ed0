# A back end made of parts that a JSON file switches on: an application for Puma, a thread a request.
require 'json'
require 'logger'
require 'webrick'
require_relative 'page'
require_relative 'parts'
require_relative 'spans'
require_relative 'steps'

# The running program.
class App
  attr_reader :config, :page, :tracer, :pools, :locks, :executors, :rows, :redis, :calls, :names, :journal, :log

  LOOK_SECONDS = 0.05
  TEXT = { 'content-type' => 'text/plain; version=0.0.4; charset=utf-8' }.freeze

  def initialize(config)
    @config = config
    @page = Page.new(config['dialect'])
    @tracer = Tracer.new(config['otlp'], config['name'])
    @pools = config['pools'].transform_values { |one| Pool.new(one, config['name']) }
    @locks = config['locks'].to_h { |name| [name, Part.new(1)] }
    @executors = config['executors'].transform_values { |one| Part.new(one['size'], queue: one['queue']) }
    @rows = Part.new(1_000_000_000)
    @threads = { size: config['threads'], busy: 0, busy_s: 0.0 }
    @redis = Kept.new { Redis.new(config['redis_port']) }
    @calls = Calls.new
    @names = config['names_port']
    @cached = {}
    @requests = @failed = 0
    @lock = Mutex.new
    @log = Logger.new(config['log'])
    # Opened once, as a server whose files have run out cannot open more.
    @ledger = File.open(config['ledger'], 'w')
  end

  def start
    Thread.new { keep_ledger }
    Thread.new { count_threads }
    @tracer.start
    serve_page if config['page_port'] != config['port']
  end

  def call(env)
    # What Puma reads after the answer: whether the connection is kept.
    env['HTTP_CONNECTION'] = 'close' if config['closes']
    answer(env['REQUEST_METHOD'], env['PATH_INFO'], env)
  end

  def missing?(key)
    @lock.synchronize { @cached[key] ? false : (@cached[key] = true) }
  end

  private

  def answer(method, path, env)
    return counted(method, '/healthz', 200, 'ok', now) if path == '/healthz'
    return [200, TEXT, [page.text(self)]] if path == '/metrics' && config['page_port'] == config['port']

    endpoint = config['endpoints'].find { |one| one['method'] == method && path.start_with?(one['prefix']) }
    endpoint ? serve(endpoint, path, env) : counted(method, 'none', 404, 'not found', now)
  end

  def serve(endpoint, path, env)
    began = now
    method, route = endpoint.values_at('method', 'route')
    id = path[endpoint['prefix'].size..].to_i
    span = tracer.begin(env['HTTP_TRACEPARENT'], "#{method} #{route}", 'http.request.method' => method, 'http.route' => route)
    status, text = 200, JSON.generate(id: id, state: 'open')
    begin
      Request.new(self, id, span).run(endpoint['steps'])
    rescue StandardError => error
      status, text = error.is_a?(Failure) ? error.status : 500, error.message
      log.error("#{error.class} (#{error.message}): #{method} #{path}")
    end
    tracer.end(span, 'http.response.status_code' => status)
    @lock.synchronize do
      @requests += 1
      @failed += 1 if status >= 400
    end
    counted(method, route, status, text, began)
  end

  def counted(method, route, status, text, began)
    page.answered(method, route, status, now - began)
    [status, { 'content-type' => 'application/json' }, ["#{text}\n"]]
  end

  # On a port of its own, as yabeda-prometheus and prometheus_exporter have it.
  def serve_page
    server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: config['page_port'], AccessLog: [], Logger: WEBrick::Log.new(File::NULL))
    server.mount_proc('/metrics') do |_, response|
      response['Content-Type'] = TEXT['content-type']
      response.body = page.text(self)
    end
    Thread.new { server.start }
  end

  # Puma's own word: a thread that waits up to 0.2 s for the next request of its connection is taken, too.
  def count_threads
    at = now
    loop do
      sleep LOOK_SECONDS
      busy = @threads[:size] - (Puma.stats_hash[:pool_capacity] || @threads[:size])
      before, at = at, now
      @threads.update(busy: busy, busy_s: @threads[:busy_s] + busy * (at - before))
    end
  end

  def keep_ledger
    loop do
      sleep 1
      parts = { 'row' => rows.ledger, 'threads' => @threads }
      { 'pool' => pools, 'lock' => locks, 'executor' => executors }.each do |kind, all|
        all.each { |name, part| parts["#{kind}:#{name}"] = part.ledger }
      end
      @ledger.puts(JSON.generate(t: Time.now.to_f, requests: @requests, failed: @failed, parts: parts))
      @ledger.flush
    end
  end
end
