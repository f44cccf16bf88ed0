package main

import (
	"encoding/binary"
	"net"
	"time"
)

const (
	headBytes   = 12
	addressKind = 1
	nameBytes   = 512
)

// NameServer answers each question for an address with 127.0.0.1, so many at once, each after some milliseconds.
type NameServer struct {
	Port   int     `json:"port"`
	AtOnce int     `json:"at_once"`
	Ms     float64 `json:"ms"`

	places *Server
}

// begin listens before it comes back.
func (n *NameServer) begin() {
	n.places = &Server{AtOnce: n.AtOnce, places: make(chan struct{}, max(1, n.AtOnce)), changed: time.Now()}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: n.Port})
	exitOn(err)
	go n.listen(socket)
}

func (n *NameServer) listen(socket *net.UDPConn) {
	for {
		question := make([]byte, nameBytes)
		size, from, err := socket.ReadFromUDP(question)
		exitOn(err)
		go func() {
			n.places.serve(n.Ms)
			if answer := answerTo(question[:size]); answer != nil {
				_, _ = socket.WriteToUDP(answer, from)
			}
		}()
	}
}

// answerTo is a message with one address for a question of one name; none for what is no such question.
func answerTo(question []byte) []byte {
	end := headBytes
	for end < len(question) && question[end] != 0 {
		end += 1 + int(question[end])
	}
	end += 5
	if end > len(question) {
		return nil
	}
	answer := append([]byte{}, question[:end]...)
	binary.BigEndian.PutUint16(answer[2:], 0x8180)
	isAddress := binary.BigEndian.Uint16(question[end-4:]) == addressKind
	counts := []uint16{1, 0, 0, 0}
	if isAddress {
		counts[1] = 1
		answer = append(answer, 0xc0, headBytes, 0, addressKind, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1)
	}
	for index, count := range counts {
		binary.BigEndian.PutUint16(answer[4+2*index:], count)
	}
	return answer
}
