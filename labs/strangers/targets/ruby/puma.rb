# Puma's own settings: one process, so many threads, the application from main.rb.
require_relative 'main'

APP = App.new(JSON.parse(File.read(ENV.fetch('TOWN_CONFIG'))))
bind "tcp://127.0.0.1:#{APP.config['port']}?backlog=1024"
threads APP.config['threads'], APP.config['threads']
workers 0
environment 'production'
app APP
APP.start
