// The work that `make bench-peers` compares, as one would write it in Go: net/http, rooms in memory behind a lock, and each submission a
// transaction of SQLite's that is on disk before it is answered.
//
//	peer ADDRESS DATABASE
package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	_ "github.com/mattn/go-sqlite3"
)

type member struct {
	ID           string `json:"id"`
	Nickname     string `json:"nickname"`
	IsHost       bool   `json:"isHost"`
	HasSubmitted bool   `json:"hasSubmitted"`
}

type room struct {
	sync.RWMutex
	PIN             string   `json:"pin"`
	Phase           string   `json:"phase"`
	Round           int      `json:"round"`
	Sequence        int      `json:"sequence"`
	MemberCount     int      `json:"memberCount"`
	SubmissionCount int      `json:"submissionCount"`
	Members         []member `json:"members"`
	places          map[string]int
}

type submission struct {
	Answers  map[string]any `json:"answers"`
	Vetoes   []string       `json:"vetoes"`
	Revision int            `json:"revision"`
}

type server struct {
	sync.RWMutex
	rooms    map[string]*room
	database *sql.DB
	insert   *sql.Stmt
}

func main() {
	database, err := sql.Open("sqlite3", os.Args[2]+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		log.Fatal(err)
	}
	database.SetMaxOpenConns(1)
	if _, err := database.Exec("CREATE TABLE submission (pin TEXT, token TEXT, body TEXT, sequence INTEGER, PRIMARY KEY (pin, token))"); err != nil {
		log.Fatal(err)
	}
	insert, err := database.Prepare("INSERT OR REPLACE INTO submission VALUES (?, ?, ?, ?)")
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(os.Args[1], &server{rooms: map[string]*room{}, database: database, insert: insert}))
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/rooms"), "/")
	switch {
	case r.Method == "POST" && len(parts) == 1:
		s.Lock()
		opened := &room{PIN: fmt.Sprintf("%06d", len(s.rooms)), Phase: "open", Round: 1, Sequence: 1, places: map[string]int{}}
		opened.join(token)
		s.rooms[opened.PIN] = opened
		s.Unlock()
		opened.write(w, http.StatusCreated)
	case r.Method == "GET" && len(parts) == 2:
		if room := s.room(parts[1]); room != nil {
			room.write(w, http.StatusOK)
			return
		}
		http.NotFound(w, r)
	case r.Method == "PUT" && len(parts) == 3:
		room := s.room(parts[1])
		var given submission
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		if room == nil || err != nil || json.Unmarshal(body, &given) != nil {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		room.Lock()
		place := room.join(token)
		if !room.Members[place].HasSubmitted {
			room.Members[place].HasSubmitted = true
			room.SubmissionCount++
		}
		room.Sequence++
		given.Revision = room.Sequence
		_, err = s.insert.Exec(room.PIN, token, string(body), room.Sequence)
		answer, _ := json.Marshal(map[string]any{"submission": given, "room": room})
		room.Unlock()
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	default:
		http.NotFound(w, r)
	}
}

func (s *server) room(pin string) *room {
	s.RLock()
	defer s.RUnlock()
	return s.rooms[pin]
}

func (r *room) join(token string) int {
	if place, ok := r.places[token]; ok {
		return place
	}
	r.places[token] = len(r.Members)
	r.Members = append(r.Members, member{ID: fmt.Sprintf("m_%d", len(r.Members)+1), IsHost: len(r.Members) == 0})
	r.MemberCount++
	return len(r.Members) - 1
}

func (r *room) write(w http.ResponseWriter, status int) {
	r.RLock()
	body, _ := json.Marshal(r)
	r.RUnlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
}
