# The names of prometheus_exporter, or of prometheus-client's middleware with Yabeda's plugins for Puma and ActiveRecord.

# What has been answered and called, as text.
class Page
  BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10].freeze
  Times = Struct.new(:counts, :count, :sum) do
    def add(seconds)
      BOUNDS.each_with_index { |bound, index| counts[index] += 1 if seconds <= bound }
      self.count += 1
      self.sum += seconds
    end
  end

  def initialize(dialect)
    @is_exporter = dialect.zero?
    @served, @calls, @lock = {}, {}, Mutex.new
  end

  def answered(method, route, status, seconds) = add(@served, [method, route, status], seconds)

  def called(peer, status, seconds) = add(@calls, [peer, status], seconds)

  def text(app)
    out = []
    @lock.synchronize { requests(out) }
    puma(out)
    app.pools.each { |name, pool| pool(out, name, pool) }
    runtime(out)
    "#{out.join("\n")}\n"
  end

  private

  def add(all, key, seconds)
    @lock.synchronize { (all[key] ||= Times.new([0] * BOUNDS.size, 0, 0.0)).add(seconds) }
  end

  def requests(out)
    @is_exporter ? exported_requests(out) : collected_requests(out)
    head(out, 'http_client_request_duration_seconds', 'histogram')
    @calls.each { |(peer, status), times| histogram(out, 'http_client_request_duration_seconds', %(host="#{peer}",method="get",status="#{status}"), times) }
  end

  def exported_requests(out)
    head(out, 'ruby_http_requests_total', 'counter')
    @served.each { |(_, route, status), times| out << %(ruby_http_requests_total{action="show",controller="#{controller(route)}",status="#{status}"} #{times.count}) }
    head(out, 'ruby_http_request_duration_seconds', 'summary')
    merged { |_, route, _| %(action="show",controller="#{controller(route)}") }.each do |labels, times|
      out << "ruby_http_request_duration_seconds_sum{#{labels}} #{times.sum}" << "ruby_http_request_duration_seconds_count{#{labels}} #{times.count}"
    end
  end

  def collected_requests(out)
    head(out, 'http_server_requests_total', 'counter')
    @served.each { |(method, route, status), times| out << %(http_server_requests_total{code="#{status}",method="#{method.downcase}",path="#{route}"} #{times.count}) }
    head(out, 'http_server_request_duration_seconds', 'histogram')
    merged { |method, route, _| %(method="#{method.downcase}",path="#{route}") }.each { |labels, times| histogram(out, 'http_server_request_duration_seconds', labels, times) }
  end

  def controller(route) = route[%r{\A/?(\w+)}, 1]

  def merged
    @served.group_by { |key, _| yield(*key) }.transform_values do |pairs|
      all = pairs.map(&:last)
      Times.new(all.map(&:counts).transpose.map(&:sum), all.sum(&:count), all.sum(&:sum))
    end
  end

  # Puma's own word.
  def puma(out)
    stats = Puma.stats_hash
    if @is_exporter
      gauge(out, 'ruby_puma_workers', 1)
      gauge(out, 'ruby_puma_booted_workers', 1)
      gauge(out, 'ruby_puma_old_workers', 0)
      gauge(out, 'ruby_puma_request_backlog', stats[:backlog])
      gauge(out, 'ruby_puma_running_threads', stats[:running])
      gauge(out, 'ruby_puma_thread_pool_capacity', stats[:pool_capacity])
      gauge(out, 'ruby_puma_max_threads', stats[:max_threads])
    else
      %i[backlog running pool_capacity max_threads].each { |name| gauge(out, "puma_#{name}", stats[name], '{index="0"}') }
      head(out, 'puma_requests_count', 'counter')
      out << %(puma_requests_count{index="0"} #{stats[:requests_count]})
    end
  end

  # ActiveRecord's connection_pool.stat, whatever the pool's name.
  def pool(out, name, pool)
    use, idle = pool.ledger, pool.idle
    figures = { size: use[:size], connections: use[:busy] + idle, busy: use[:busy], dead: 0, idle: idle, waiting: use[:waiting] }
    figures.each do |figure, amount|
      @is_exporter ? gauge(out, "ruby_active_record_connection_pool_#{figure}", amount, %({pool_name="#{name}"})) : gauge(out, "activerecord_connection_pool_#{figure}", amount, %({config="#{name}"}))
    end
  end

  def runtime(out)
    collected = GC.stat
    return unless @is_exporter

    gauge(out, 'ruby_heap_live_slots', collected[:heap_live_slots])
    gauge(out, 'ruby_heap_free_slots', collected[:heap_free_slots])
    head(out, 'ruby_major_gc_ops_total', 'counter')
    out << "ruby_major_gc_ops_total #{collected[:major_gc_count]}"
    head(out, 'ruby_minor_gc_ops_total', 'counter')
    out << "ruby_minor_gc_ops_total #{collected[:minor_gc_count]}"
    gauge(out, 'ruby_rss', File.read('/proc/self/statm').split[1].to_i * 4096)
  rescue Errno::EMFILE
    nil # The page goes without the figure that needs a file.
  end

  def head(out, name, kind) = out << "# HELP #{name} #{name}" << "# TYPE #{name} #{kind}"

  def gauge(out, name, amount, labels = '')
    head(out, name, 'gauge')
    out << "#{name}#{labels} #{amount}"
  end

  def histogram(out, name, labels, times)
    BOUNDS.each_with_index { |bound, index| out << %(#{name}_bucket{#{labels},le="#{bound}"} #{times.counts[index]}) }
    out << %(#{name}_bucket{#{labels},le="+Inf"} #{times.count}) << "#{name}_sum{#{labels}} #{times.sum}" << "#{name}_count{#{labels}} #{times.count}"
  end
end
