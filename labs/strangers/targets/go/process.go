package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

func replacer(id, seconds string) *strings.Replacer {
	return strings.NewReplacer("$1", id, "$2", seconds)
}

func cpuSeconds() float64 {
	usage := &syscall.Rusage{}
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// threadCPUSeconds is what the calling thread has used; 1 is Linux' RUSAGE_THREAD.
func threadCPUSeconds() float64 {
	usage := &syscall.Rusage{}
	if err := syscall.Getrusage(1, usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// filesMax is the limit of open files, at most what servers usually have.
func filesMax() float64 {
	limit := &syscall.Rlimit{}
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, limit); err != nil {
		return 0
	}
	return min(20000, float64(limit.Cur))
}

func residentBytes() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseFloat(strings.Fields(string(text))[1], 64)
	return pages * float64(os.Getpagesize())
}
