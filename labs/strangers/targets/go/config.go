package main

import (
	"encoding/json"
	"os"
)

// Config is what the program is made of: ../README.md has the keys.
type Config struct {
	Name      string                    `json:"name"`
	Port      int                       `json:"port"`
	PagePort  int                       `json:"page_port"`
	Log       string                    `json:"log"`
	Ledger    string                    `json:"ledger"`
	Otlp      string                    `json:"otlp"`
	Pools     map[string]PoolConfig     `json:"pools"`
	Locks     []string                  `json:"locks"`
	Executors map[string]ExecutorConfig `json:"executors"`
	RateLimit float64                   `json:"rate_limit"`
	Endpoints []Endpoint                `json:"endpoints"`
	RedisPort int                       `json:"redis_port"`
	NamesPort int                       `json:"names_port"`
	Closes    bool                      `json:"closes"`
	Catalogue string                    `json:"catalogue"`
}

// PoolConfig is a pool of connections to a database.
type PoolConfig struct {
	Size      int    `json:"size"`
	TimeoutMs int    `json:"timeout_ms"`
	Kind      string `json:"kind"`
	Port      int    `json:"port"`
	User      string `json:"user"`
	Database  string `json:"database"`
}

// ExecutorConfig is a bounded set of workers; a queue below 0 has no end.
type ExecutorConfig struct {
	Size  int `json:"size"`
	Queue int `json:"queue"`
}

// Endpoint is one route and what it does.
type Endpoint struct {
	Method string `json:"method"`
	Prefix string `json:"prefix"`
	Route  string `json:"route"`
	Steps  []Step `json:"steps"`
}

// Step is one thing that a request does.
type Step struct {
	Do        string  `json:"do"`
	Of        string  `json:"of"`
	SQL       string  `json:"sql"`
	Ms        float64 `json:"ms"`
	Times     int     `json:"times"`
	SlowEvery int     `json:"slow_every"`
	SlowMs    float64 `json:"slow_ms"`
	URL       string  `json:"url"`
	Retries   int     `json:"retries"`
	Bytes     int     `json:"bytes"`
	Keys      int     `json:"keys"`
	Steps     []Step  `json:"steps"`
	// Name is looked up before each call.
	Name    string   `json:"name"`
	Command []string `json:"command"`
	Count   int      `json:"count"`
}

func readConfig(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	config := &Config{}
	return config, json.Unmarshal(text, config)
}
